import type { MenuFileField } from '../../../contracts/menu-imports.ts'
import type { ItemRow } from '../menus/index.ts'
import type { FileRow } from './read-menu-file.ts'
import * as read from './read-values.ts'

export type CellError = { field: MenuFileField | null; message: string }
/** What a row says: the columns that the file has, and no others. */
export type ReadRow = { row: number; cells: Partial<Record<MenuFileField, string>>; change: Partial<ItemRow>; errors: CellError[] }

/** Lengths as in contracts/menus.ts. */
const texts = { sku: 80, name: 160, strain: 120, brand: 120, description: 2000, batch: 80 } as const
type TextField = keyof typeof texts
const isText = (field: MenuFileField): field is TextField => field in texts

/** What the columns are taken for, in the order of the file. */
export function readRow({ row, cells }: FileRow, fields: readonly (MenuFileField | null)[]): ReadRow {
  const result: ReadRow = { row, cells: {}, change: {}, errors: [] }
  fields.forEach((field, i) => {
    if (field !== null) result.cells[field] = cells[i] ?? ''
  })
  const { change, errors } = result
  const units: Pick<ItemRow, 'potency_unit' | 'weight_unit'> = { potency_unit: null, weight_unit: null }

  function take<Value>(field: MenuFileField, found: read.Read<Value>, keep: (value: Value) => void): void {
    if ('error' in found) errors.push({ field, message: found.error })
    else keep(found.value)
  }
  for (const [name, cell] of Object.entries(result.cells)) {
    const field = name as MenuFileField
    if (isText(field)) {
      take(field, read.readText(cell, texts[field]), (text) => {
        if (field === 'name' && text === null) return
        Object.assign(change, { [field]: text })
      })
    }
    if (field === 'category') take(field, read.readCategory(cell), (category) => Object.assign(change, { category }))
    if (field === 'price') {
      take(field, read.readPrice(cell), (cents) => {
        if (cents === null) errors.push({ field, message: 'Price is required' })
        else change.price_cents = cents
      })
    }
    if (field === 'memberPrice') take(field, read.readPrice(cell), (cents) => Object.assign(change, { member_price_cents: cents }))
    if (field === 'thc' || field === 'cbd') {
      take(field, read.readPotency(cell), ({ amount, unit }) => {
        change[field] = amount
        units.potency_unit ??= unit
      })
    }
    if (field === 'weight') {
      take(field, read.readWeight(cell), ({ amount, unit }) => {
        change.weight = amount
        units.weight_unit = unit
      })
    }
    if (field === 'potencyUnit') take(field, read.readPotencyUnit(cell), (unit) => Object.assign(change, { potency_unit: unit }))
    if (field === 'weightUnit') take(field, read.readWeightUnit(cell), (unit) => Object.assign(change, { weight_unit: unit }))
    if (field === 'isAvailable') {
      take(field, read.readAvailability(cell), (isAvailable) => {
        if (isAvailable !== null) change.is_available = isAvailable
      })
    }
  }
  // A unit of its own column comes before the one that is written behind a number.
  if (units.potency_unit !== null) change.potency_unit ??= units.potency_unit
  if (units.weight_unit !== null) change.weight_unit ??= units.weight_unit
  return result
}
