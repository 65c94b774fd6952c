import type { MenuItem } from '#contracts/menus.ts'
import { firstVariant, type RowEdit, shownVariants } from '#web/entities/menus/menu-edits.ts'
import { columns } from '#web/entities/menus/menu-fields.ts'
import type { CellText } from '#web/ui/sheet/grid-moves.ts'
import { makeRowId } from './use-menu-edits.ts'

/** A row of the table: a variant of an item. */
export type GridItem = {
  /** Of the row. */
  id: string
  /** Of the item, or temporary. */
  itemId: string
  variant: string
  item: MenuItem | undefined
  isFirst: boolean
  isLast: boolean
}

/** The rows of an item. */
export const itemRows = (itemId: string, item: MenuItem | undefined, edit: RowEdit | undefined): GridItem[] =>
  shownVariants(edit, item).map((variant, index, all) => ({
    id: rowId(itemId, variant),
    itemId,
    variant,
    item,
    isFirst: index === 0,
    isLast: index === all.length - 1,
  }))
export const rowId = (itemId: string, variant: string) => `${itemId} ${variant}`

/**
 * Rows that are written after the last one, such as pasted ones. Consecutive rows with the same name are sizes of one item, as in a menu's
 * file.
 */
export function newPlaces(
  cells: readonly CellText[],
  rows: readonly GridItem[],
  moreItems: (count: number) => string[],
): Map<number, GridItem> {
  const last = rows.length - 1
  const nameColumn = columns.findIndex(({ key }) => key === 'name')
  const names = new Map(cells.flatMap(({ row, column, text }) => (column === nameColumn ? [[row, text.trim()] as const] : [])))
  const written = [...new Set(cells.map(({ row }) => row))].filter((row) => row > last).sort((a, b) => a - b)
  const isSize = (row: number) => Boolean(names.get(row)) && names.get(row) === names.get(row - 1)
  const ids = moreItems(written.filter((row) => !isSize(row)).length)
  const places = new Map<number, GridItem>()
  let next = 0
  for (const row of written) {
    const before = places.get(row - 1) ?? (row - 1 === last ? rows[last] : undefined)
    const isOneMore = isSize(row) && before !== undefined && before.item === undefined
    const itemId = isOneMore ? before.itemId : ids[next++]
    if (itemId === undefined) break
    const variant = isOneMore ? makeRowId() : firstVariant
    places.set(row, { id: rowId(itemId, variant), itemId, variant, item: undefined, isFirst: !isOneMore, isLast: true })
  }
  return places
}
