import type { MenuSettings } from '../../../contracts/menus.ts'
import { formatCents } from '../../../contracts/money.ts'
import { formatPrice } from '../businesses/format-price.ts'

const typed = 3500

/** What shoppers see of a price of 35.00 under these settings. */
export function priceExample({ currency, taxRate, pricesIncludeTax }: MenuSettings): string {
  const shown = pricesIncludeTax || taxRate === null ? typed : Math.round(typed * (1 + taxRate / 100))
  const tax = pricesIncludeTax || taxRate !== null ? 'incl. tax' : '+ tax'
  return `You type 35.00, shoppers see ${formatPrice(formatCents(shown), currency)} ${tax}.`
}
