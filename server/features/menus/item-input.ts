import { menuFieldKeys } from '#contracts/menu-fields.ts'
import type { MenuItemChange, NewMenuItem } from '#contracts/menus.ts'
import { storedFields, toColumn } from './menu-fields.ts'
import { type ItemRow, itemColumns } from './product-rows.queries.ts'

export type FieldErrors = Record<string, string>

export function withChange(row: ItemRow, change: MenuItemChange): ItemRow {
  const next = { ...row }
  for (const key of menuFieldKeys) if (change[key] !== undefined) Object.assign(next, toColumn(key, change[key]))
  if (change.certificateId !== undefined) next.certificate_id = change.certificateId
  if (change.imageId !== undefined) next.image_id = change.imageId
  return next
}

export const newRow = (id: string, input: NewMenuItem): ItemRow => withChange(emptyRow(id), input)

const screenedFields = menuFieldKeys.filter((key) => storedFields[key].isScreened)

/** The text that the content filter reads, by field. */
export const itemWords = (row: ItemRow): Record<string, string | null> =>
  Object.fromEntries(screenedFields.map((key) => [key, row[storedFields[key].column] as string | null]))

export const emptyRow = (id: string): ItemRow =>
  ({ ...Object.fromEntries(itemColumns.map((column) => [column, null])), id, name: '', price_cents: 0, is_available: true }) as ItemRow

const percentFields = ['thc', 'cbd'] as const

export function checkTogether(row: ItemRow): FieldErrors {
  const errors: FieldErrors = {}
  if (row.potency_unit === 'percent') {
    for (const field of percentFields) if ((row[field] ?? 0) > 100) errors[field] = 'At most 100 percent'
  }
  return errors
}
