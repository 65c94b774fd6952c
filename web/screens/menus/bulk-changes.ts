import type { ProductCategory } from '#contracts/menu-fields.ts'
import type { MenuItem } from '#contracts/menus.ts'
import { formatCents, parseCents } from '#contracts/money.rules.ts'
import { type Edits, shownText, shownVariants, type Write } from '#web/entities/menus/menu-edits.ts'
import { readCell } from '#web/entities/menus/menu-fields.ts'

/** In cents: prices end up as multiples of it. */
export const roundings = [1, 5, 25, 50, 100] as const
export type Rounding = (typeof roundings)[number]

/** A change of prices; `value` is in percent or in the currency's main unit, and negative to lower them. */
export type PriceChange = { by: 'percent' | 'amount'; value: number; rounding: Rounding }

export type BulkChange = {
  price: PriceChange | null
  /** Percent off the price, or no sale. */
  sale: { percentOff: number; rounding: Rounding } | 'none' | null
  category: ProductCategory | null
  brand: string | null
}

/** The price after a change, rounded half up; null if nothing would be left. */
export function changedCents(cents: number, { by, value, rounding }: PriceChange): number | null {
  // Hundredths of a percent, because binary fractions aren't exact.
  const exact = by === 'percent' ? (cents * (10_000 + Math.round(value * 100))) / 10_000 : cents + Math.round(value * 100)
  const rounded = Math.floor(exact / rounding + 0.5) * rounding
  return rounded > 0 ? rounded : null
}

function centsOf(text: string): number | null {
  const found = readCell('price', text)
  return 'value' in found && typeof found.value === 'string' ? parseCents(found.value) : null
}

/** What a change writes into the table, on top of unsaved edits. `skipped` counts sizes whose price can't be changed like this. */
export function bulkWrites(items: readonly MenuItem[], edits: Edits, change: BulkChange): { writes: Write[]; skipped: number } {
  const writes: Write[] = []
  let skipped = 0
  for (const item of items) {
    const edit = edits[item.id]
    const { id } = item
    if (change.category !== null) writes.push({ id, variant: '', key: 'category', text: change.category })
    if (change.brand !== null) writes.push({ id, variant: '', key: 'brand', text: change.brand })
    for (const variant of shownVariants(edit, item)) {
      const before = centsOf(shownText(edit, item, 'price', variant))
      const after = before === null ? null : change.price === null ? before : changedCents(before, change.price)
      if (after === null) {
        if (change.price !== null || (change.sale !== null && change.sale !== 'none')) skipped++
        continue
      }
      if (change.price !== null) writes.push({ id, variant, key: 'price', text: formatCents(after) })
      if (change.sale === 'none') writes.push({ id, variant, key: 'salePrice', text: '' })
      else if (change.sale !== null) {
        const { percentOff, rounding } = change.sale
        const sale = changedCents(after, { by: 'percent', value: -percentOff, rounding })
        if (sale === null || sale >= after) skipped++
        else writes.push({ id, variant, key: 'salePrice', text: formatCents(sale) })
      }
    }
  }
  return { writes, skipped }
}
