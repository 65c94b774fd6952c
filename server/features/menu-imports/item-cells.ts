import { type MenuField, menuFields } from '#contracts/menu-fields.ts'
import { type ItemRow, valuesOf } from '#server/features/menus/index.ts'

/** An item's cell in a file, in the form that imports read. */
export function itemCell(item: ItemRow, field: MenuField): string {
  const value = valuesOf(item, [field])[field]
  if (menuFields[field].kind === 'switch') return value ? 'yes' : 'no'
  return value === null ? '' : String(value)
}
