import type { MenuRoom, MenuSettings } from '#contracts/menus.ts'
import { formatCents } from '#contracts/money.rules.ts'
import type * as z from '#contracts/zod.ts'
import { counted, formatNumber, formatPrice } from '#web/lib/format.ts'

type Room = z.infer<typeof MenuRoom>

/** "4 of 5 items", or "120 items" without a limit. */
export const roomWords = ({ itemCount, itemLimit }: Room): string =>
  itemLimit === null ? counted(itemCount, 'item') : `${formatNumber(itemCount)} of ${counted(itemLimit, 'item')}`

export const roomLeft = ({ itemCount, itemLimit }: Room): number =>
  itemLimit === null ? Number.POSITIVE_INFINITY : Math.max(0, itemLimit - itemCount)

const typed = 3500

/** What shoppers see for a price of 35.00 with these settings. */
export function priceExample({ currency, taxRate, pricesIncludeTax }: MenuSettings): string {
  const shown = pricesIncludeTax || taxRate === null ? typed : Math.round(typed * (1 + taxRate / 100))
  const tax = pricesIncludeTax || taxRate !== null ? 'incl. tax' : '+ tax'
  return `You type 35.00, shoppers see ${formatPrice(formatCents(shown), currency)} ${tax}.`
}
