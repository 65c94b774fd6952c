import { maxBulkChanges } from '#contracts/limits.ts'
import { type MenuField, menuFields } from '#contracts/menu-fields.ts'
import type { MenuItem, MenuItemChange, NewMenuItem } from '#contracts/menus.ts'
import { blankText, cellText, columnKeys, readCell } from './menu-fields.ts'

export type RowEdit = {
  /** The item's version when the edit started; null for a new item. */
  version: number | null
  /** Edited cells as typed, valid or not. */
  cells: Partial<Record<MenuField, string>>
  base: Partial<Record<MenuField, string>>
}
/** By item ID, or by a temporary ID from {@link newRowId}. */
export type Edits = Readonly<Record<string, RowEdit>>
export type Write = { id: string; key: MenuField; text: string }
export type ItemsById = ReadonlyMap<string, MenuItem>

const newPrefix = 'new-'
export const newRowId = (key: string): string => newPrefix + key
export const isNewRow = (id: string): boolean => id.startsWith(newPrefix)

export const shownText = (edit: RowEdit | undefined, item: MenuItem | undefined, key: MenuField): string =>
  edit?.cells[key] ?? (item ? cellText(item, key) : blankText(key))

/** Applies writes. A cell set back to its previous text is no longer an edit. */
export function withWrites(edits: Edits, items: ItemsById, writes: readonly Write[]): Edits {
  const next: Record<string, RowEdit> = { ...edits }
  for (const { id, key, text } of writes) {
    const item = items.get(id)
    if (!item && !isNewRow(id)) continue
    const edit = next[id] ?? { version: item?.version ?? null, cells: {}, base: {} }
    const before = edit.base[key] ?? (item ? cellText(item, key) : blankText(key))
    const cells = { ...edit.cells, [key]: text }
    const base = { ...edit.base, [key]: before }
    if (isSameCell(key, text, before)) {
      delete cells[key]
      delete base[key]
    }
    if (Object.keys(cells).length > 0) next[id] = { ...edit, cells, base }
    else delete next[id]
  }
  return next
}

/** "35" and "35.00" are the same price. */
function isSameCell(key: MenuField, a: string, b: string): boolean {
  if (a.trim() === b.trim()) return true
  const [left, right] = [readCell(key, a), readCell(key, b)]
  if ('error' in left || 'error' in right) return false
  if (menuFields[key].kind === 'price') {
    return left.value !== null && right.value !== null && Number(left.value) === Number(right.value)
  }
  return left.value === right.value
}

export function withoutRows(edits: Edits, ids: readonly string[]): Edits {
  const next: Record<string, RowEdit> = { ...edits }
  for (const id of ids) delete next[id]
  return next
}

export type CellErrors = Readonly<Record<string, Partial<Record<MenuField, string>>>>
type BulkChange = MenuItemChange & { id: string; version: number }
export type Saving = { changes: BulkChange[]; additions: { id: string; item: Partial<NewMenuItem> }[]; errors: CellErrors }

export function savingOf(edits: Edits): Saving {
  const saving: Saving = { changes: [], additions: [], errors: {} }
  const errors: Record<string, Partial<Record<MenuField, string>>> = {}
  for (const [id, edit] of Object.entries(edits)) {
    const values: Record<string, unknown> = {}
    // A new item is validated as a whole.
    for (const key of edit.version === null ? columnKeys : (Object.keys(edit.cells) as MenuField[])) {
      const read = readCell(key, edit.cells[key] ?? blankText(key))
      if ('error' in read) errors[id] = { ...errors[id], [key]: read.error }
      else values[key] = read.value
    }
    if (errors[id]) continue
    if (edit.version === null) saving.additions.push({ id, item: values as Partial<NewMenuItem> })
    else saving.changes.push({ ...(values as MenuItemChange), id, version: edit.version })
  }
  return { ...saving, errors }
}

export const inBatches = <T>(all: readonly T[], size: number = maxBulkChanges): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

/** Maps the server's `changes.<index>.<field>` errors to rows and cells. Leaves out errors of other fields. */
export function errorsOfAnswer(fields: Readonly<Record<string, string>>, sent: readonly { id: string }[]): CellErrors {
  const errors: Record<string, Partial<Record<MenuField, string>>> = {}
  for (const [path, message] of Object.entries(fields)) {
    const match = /^changes\.(\d+)\.(\w+)/.exec(path)
    const id = match && sent[Number(match[1])]?.id
    const key = columnKeys.find((each) => each === match?.[2])
    if (id && key) errors[id] = { ...errors[id], [key]: message }
  }
  return errors
}

export type Conflict = { id: string; name: string; version: number; cells: { key: MenuField; theirs: string; mine: string }[] }

/**
 * Rows in which someone else changed the edited cells. Edits without conflicts can be moved to the newer version by {@link rebased}.
 */
export function conflictsOf(edits: Edits, items: ItemsById): Conflict[] {
  return Object.entries(edits).flatMap(([id, edit]) => {
    const item = items.get(id)
    if (!item || edit.version === null || edit.version === item.version) return []
    const cells = columnKeys.flatMap((key) => {
      const mine = edit.cells[key]
      const theirs = cellText(item, key)
      const isTheirs = mine !== undefined && edit.base[key] !== theirs && !isSameCell(key, mine, theirs)
      return isTheirs ? [{ key, theirs, mine }] : []
    })
    return cells.length > 0 ? [{ id, name: item.name, version: item.version, cells }] : []
  })
}

/** Moves edits without conflicts to the current versions. */
export function rebased(edits: Edits, items: ItemsById): Edits {
  const contested = new Set(conflictsOf(edits, items).map(({ id }) => id))
  const moved = Object.entries(edits).filter(([id, { version }]) => {
    const item = items.get(id)
    return item && version !== null && version !== item.version && !contested.has(id)
  })
  if (moved.length === 0) return edits
  return moved.reduce((all, [id, edit]) => onto(all, items, id, edit), edits)
}

export function overwritten(edits: Edits, items: ItemsById, id: string): Edits {
  const edit = edits[id]
  return edit ? onto(edits, items, id, edit) : edits
}

function onto(edits: Edits, items: ItemsById, id: string, { cells }: RowEdit): Edits {
  const writes = Object.entries(cells).map(([key, text]) => ({ id, key: key as MenuField, text }))
  return withWrites(withoutRows(edits, [id]), items, writes)
}

/** Validates stored edits, dropping invalid ones. */
export function restoredEdits(stored: unknown): Edits {
  if (typeof stored !== 'object' || stored === null) return {}
  return Object.fromEntries(
    Object.entries(stored as Record<string, Partial<RowEdit> | null>).flatMap(([id, edit]) => {
      const version = edit?.version
      if (!edit || (isNewRow(id) ? version !== null : !Number.isInteger(version))) return []
      const cells = textsOf(edit.cells)
      if (Object.keys(cells).length === 0) return []
      return [[id, { version: version as number | null, cells, base: textsOf(edit.base) }]]
    }),
  )
}

function textsOf(cells: unknown): Partial<Record<MenuField, string>> {
  if (typeof cells !== 'object' || cells === null) return {}
  const entries = Object.entries(cells).filter(([key, text]) => columnKeys.some((known) => known === key) && typeof text === 'string')
  return Object.fromEntries(entries)
}
