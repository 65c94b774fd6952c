import { maxBulkChanges } from '#contracts/limits.ts'
import { packLabel } from '#contracts/menu-fields.rules.ts'
import { type ItemField, type MenuField, menuFields, type VariantField } from '#contracts/menu-fields.ts'
import type { MenuItem, MenuItemChange, NewMenuItem } from '#contracts/menus.ts'
import {
  blankText,
  cellText,
  columnKeys,
  inStock,
  isItemField,
  itemFieldKeys,
  outOfStock,
  potencyOf,
  potencyUnitOf,
  readCell,
  readStock,
  sizeOf,
  variantFieldKeys,
} from './menu-fields.ts'

export type CellKey = ItemField | `${VariantField} ${string}`
type Cells = Partial<Record<CellKey, string>>

export type RowEdit = {
  /** The item's version when the edit started; null for a new item. */
  version: number | null
  /** As typed, valid or not. */
  cells: Cells
  base: Cells
  variants: readonly string[]
  /** Temporary IDs of added variants, which come after the others. */
  added: readonly string[]
  removed: readonly string[]
}
/** By item ID, or by a temporary ID from {@link newRowId}. */
export type Edits = Readonly<Record<string, RowEdit>>
export type Write = { id: string; variant: string; key: MenuField; text: string }
export type ItemsById = ReadonlyMap<string, MenuItem>

const newPrefix = 'new-'
export const newRowId = (key: string): string => newPrefix + key
export const isNewRow = (id: string): boolean => id.startsWith(newPrefix)
export const firstVariant = newRowId('first')

export const cellKey = (key: MenuField, variant: string): CellKey => (isItemField(key) ? key : `${key} ${variant}`)

/** True if the edits change only the stock, as the availability switches on phones do. */
export function isStockOnly(edits: Edits): boolean {
  const isOfStock = (key: MenuField | undefined) => key === 'isAvailable' || key === 'stock'
  const isStock = ([id, { cells, added, removed }]: [string, RowEdit]) =>
    !isNewRow(id) && added.length === 0 && removed.length === 0 && Object.keys(cells).every((key) => isOfStock(cellOf(key)?.key))
  return Object.keys(edits).length > 0 && Object.entries(edits).every(isStock)
}

function cellOf(key: string): { key: MenuField; variant: string } | null {
  const [name, variant = ''] = key.split(' ')
  const field = columnKeys.find((known) => known === name)
  return field && isItemField(field) === (variant === '') ? { key: field, variant } : null
}
const keysOf = (cells: Cells) => Object.keys(cells) as CellKey[]
const ofVariant = (key: string, variant: string) => key.endsWith(` ${variant}`)

const savedVariants = (item: MenuItem | undefined): string[] => item?.variants.map(({ id }) => id) ?? [firstVariant]

export function shownVariants(edit: RowEdit | undefined, item: MenuItem | undefined): string[] {
  if (!edit) return savedVariants(item)
  return [...edit.variants.filter((id) => !edit.removed.includes(id)), ...edit.added]
}

function savedText(item: MenuItem | undefined, key: MenuField, variant: string): string {
  const of = isItemField(key) ? item : item?.variants.find(({ id }) => id === variant)
  return of ? cellText(of, key) : blankText(key)
}

export const shownText = (edit: RowEdit | undefined, item: MenuItem | undefined, key: MenuField, variant: string): string =>
  edit?.cells[cellKey(key, variant)] ?? savedText(item, key, variant)

/** "3.5 g", as typed, or "20-pack". Empty if unspecified. */
export function shownSize(edit: RowEdit | undefined, item: MenuItem | undefined, variant: string): string {
  const [weight, unit] = [shownText(edit, item, 'weight', variant).trim(), shownText(edit, item, 'weightUnit', variant).trim()]
  if (unit === 'piece' && Number(weight) > 0) return packLabel(Number(weight))
  return weight && `${weight} ${unit}`.trim()
}

const newEdit = (item: MenuItem | undefined): RowEdit => ({
  version: item?.version ?? null,
  cells: {},
  base: {},
  variants: savedVariants(item),
  added: [],
  removed: [],
})

const isEdit = ({ cells, added, removed }: RowEdit) => Object.keys(cells).length > 0 || added.length > 0 || removed.length > 0

/** A cell set back to its previous text is no longer an edit. A write to a new temporary ID adds a variant. */
export function withWrites(edits: Edits, items: ItemsById, writes: readonly Write[]): Edits {
  const next: Record<string, RowEdit> = { ...edits }
  const placeOf = ({ id, variant, key }: Write) => `${id} ${cellKey(key, variant)}`
  const stated = new Set(writes.map(placeOf))
  const all = writes.flatMap((write) => {
    const onHand = shownText(edits[write.id], items.get(write.id), 'stock', write.variant)
    const [plain, implied] = write.key === 'weight' ? sizeWrites(write) : (potencyWrites(write) ?? stockWrites(write, onHand))
    return implied && !stated.has(placeOf(implied)) ? [plain, implied] : [plain]
  })
  for (const { id, variant, key, text } of all) {
    const item = items.get(id)
    if (!item && !isNewRow(id)) continue
    let edit = next[id] ?? newEdit(item)
    if (!isItemField(key) && !shownVariants(edit, item).includes(variant)) {
      if (!isNewRow(variant)) continue
      edit = { ...edit, added: [...edit.added, variant] }
    }
    const cell = cellKey(key, variant)
    const before = edit.base[cell] ?? savedText(item, key, variant)
    const cells: Cells = { ...edit.cells, [cell]: text }
    const base: Cells = { ...edit.base, [cell]: before }
    if (isSameCell(key, text, before)) {
      delete cells[cell]
      delete base[cell]
    }
    const changed = { ...edit, cells, base }
    if (isEdit(changed)) next[id] = changed
    else delete next[id]
  }
  return next
}

/**
 * Keeps availability and quantity consistent: a quantity typed as availability sets the quantity on hand, 0 means out of stock, and a size
 * that is back in stock loses its 0. Returns the normalized write and any write that it implies.
 */
function stockWrites(write: Write, onHand: string): [Write, Write?] {
  const { key, text } = write
  const isNone = onHand.trim() !== '' && Number(onHand) === 0
  if (key === 'isAvailable') {
    const read = readStock(text)
    if (!read) return [write]
    const plain = { ...write, text: read.isAvailable ? inStock : outOfStock }
    if (read.onHand !== null) return [plain, { ...write, key: 'stock', text: String(read.onHand) }]
    return read.isAvailable && isNone ? [plain, { ...write, key: 'stock', text: '' }] : [plain]
  }
  if (key !== 'stock') return [write]
  const read = readCell(key, text)
  const amount = 'error' in read ? null : read.value
  if (amount === 0) return [write, { ...write, key: 'isAvailable', text: outOfStock }]
  return isNone && amount !== null ? [write, { ...write, key: 'isAvailable', text: inStock }] : [write]
}

/** A size typed with its unit sets the unit, too. */
function sizeWrites(write: Write): [Write, Write?] {
  const size = sizeOf(write.text)
  return size
    ? [
        { ...write, text: size.weight },
        { ...write, key: 'weightUnit', text: size.weightUnit },
      ]
    : [write]
}

/** A potency typed with its unit sets the unit, too. Null for any other write. */
function potencyWrites(write: Write): [Write, Write] | null {
  const unitKey = potencyUnitOf[write.key]
  const potency = unitKey && potencyOf(write.text)
  return potency
    ? [
        { ...write, text: potency.figure },
        { ...write, key: unitKey, text: potency.unit },
      ]
    : null
}

/** The new variant has the last one's unit. */
export function withVariant(edits: Edits, items: ItemsById, id: string, variant: string): Edits {
  const [edit, item] = [edits[id], items.get(id)]
  const last = shownVariants(edit, item).at(-1)
  const unit = last === undefined ? '' : shownText(edit, item, 'weightUnit', last)
  return withWrites(edits, items, [{ id, variant, key: 'weightUnit', text: unit }])
}

export function withoutVariant(edits: Edits, items: ItemsById, id: string, variant: string): Edits {
  const item = items.get(id)
  const edit = edits[id] ?? newEdit(item)
  if (shownVariants(edit, item).length < 2) return edits
  const without = (cells: Cells): Cells => Object.fromEntries(Object.entries(cells).filter(([key]) => !ofVariant(key, variant)))
  const changed = {
    ...edit,
    cells: without(edit.cells),
    base: without(edit.base),
    added: edit.added.filter((each) => each !== variant),
    removed: edit.variants.includes(variant) ? [...edit.removed, variant] : edit.removed,
  }
  return isEdit(changed) ? { ...edits, [id]: changed } : withoutRows(edits, [id])
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

export type CellErrors = Readonly<Record<string, Cells>>
type BulkChange = MenuItemChange & { id: string; version: number }
export type Saving = { changes: BulkChange[]; additions: { id: string; item: Partial<NewMenuItem> }[]; errors: CellErrors }

export function savingOf(edits: Edits): Saving {
  const saving: Saving = { changes: [], additions: [], errors: {} }
  const errors: Record<string, Cells> = {}
  for (const [id, edit] of Object.entries(edits)) {
    /** Validates all cells of a new item or variant, but only the edited cells of a saved one. */
    const read = (keys: readonly MenuField[], variant: string, isNew: boolean) => {
      const values: Record<string, unknown> = {}
      for (const key of keys) {
        const text = edit.cells[cellKey(key, variant)]
        if (!isNew && text === undefined) continue
        const cell = readCell(key, text ?? blankText(key))
        if ('error' in cell) errors[id] = { ...errors[id], [cellKey(key, variant)]: cell.error }
        else values[key] = cell.value
      }
      return values
    }
    const values = read(itemFieldKeys, '', edit.version === null)
    const variants = shownVariants(edit, undefined).map((variant) =>
      isNewRow(variant) ? read(variantFieldKeys, variant, true) : { id: variant, ...read(variantFieldKeys, variant, false) },
    )
    if (errors[id]) continue
    if (edit.version === null) saving.additions.push({ id, item: { ...values, variants } as Partial<NewMenuItem> })
    else {
      const changesVariants = edit.added.length > 0 || edit.removed.length > 0 || keysOf(edit.cells).some((key) => key.includes(' '))
      saving.changes.push({ ...(values as MenuItemChange), ...(changesVariants && { variants }), id, version: edit.version })
    }
  }
  return { ...saving, errors }
}

export const inBatches = <T>(all: readonly T[], size: number = maxBulkChanges): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

/** Maps errors such as `changes.0.variants.1.price` to rows and cells, and leaves out others. */
export function errorsOfAnswer(fields: Readonly<Record<string, string>>, sent: readonly { id: string }[], edits: Edits): CellErrors {
  const errors: Record<string, Cells> = {}
  for (const [path, message] of Object.entries(fields)) {
    const [, index, place, name] = /^changes\.(\d+)\.(?:variants\.(\d+)\.)?(\w+)/.exec(path) ?? []
    const id = sent[Number(index)]?.id
    const edit = id === undefined ? undefined : edits[id]
    const variant = place === undefined ? '' : shownVariants(edit, undefined)[Number(place)]
    const cell = variant === undefined ? null : cellOf(`${name} ${variant}`.trim())
    if (id && cell) errors[id] = { ...errors[id], [cellKey(cell.key, cell.variant)]: message }
  }
  return errors
}

type ConflictCell = { key: MenuField; size: string; theirs: string; mine: string }
export type Conflict = { id: string; name: string; version: number; cells: ConflictCell[] }

/** Rows where someone else changed the same cells. {@link rebased} moves all other edits to the newer version. */
export function conflictsOf(edits: Edits, items: ItemsById): Conflict[] {
  return Object.entries(edits).flatMap(([id, edit]) => {
    const item = items.get(id)
    if (!item || edit.version === null || edit.version === item.version) return []
    const cells = keysOf(edit.cells).flatMap((name): ConflictCell[] => {
      const cell = cellOf(name)
      if (!cell || isGone(cell.variant, item)) return []
      const { key, variant } = cell
      const mine = edit.cells[name] ?? ''
      const theirs = savedText(item, key, variant)
      const isTheirs = edit.base[name] !== theirs && !isSameCell(key, mine, theirs)
      return isTheirs ? [{ key, size: isItemField(key) ? '' : shownSize(undefined, item, variant), theirs, mine }] : []
    })
    return cells.length > 0 ? [{ id, name: item.name, version: item.version, cells }] : []
  })
}

const isGone = (variant: string, item: MenuItem) => variant !== '' && !isNewRow(variant) && !savedVariants(item).includes(variant)

/** Number of edited variants that someone else removed. Edits of these can't be saved. */
export const goneVariants = (edits: Edits, items: ItemsById): number =>
  Object.entries(edits).reduce((sum, [id, { cells }]) => {
    const item = items.get(id)
    const edited = new Set(keysOf(cells).map((key) => cellOf(key)?.variant ?? ''))
    return sum + (item ? [...edited].filter((variant) => isGone(variant, item)).length : 0)
  }, 0)

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

/**
 * Call once row `id` of `sent` has been saved as `item`, which replaces `old`. Keeps later edits. A cell that was set back in the meantime
 * becomes an edit of the saved item. Sizes get the IDs of the saved ones, which are in the same order; a removed size that was brought back
 * in the meantime is added again.
 */
export function applySaved(edits: Edits, sent: Edits, item: MenuItem, id: string = item.id, old?: MenuItem): Edits {
  const was = sent[id]
  const now = edits[id] ?? (was && !isNewRow(id) ? { ...was, cells: {}, added: [], removed: [] } : undefined)
  const others = withoutRows(edits, [id])
  if (!was || !now || (isNewRow(id) && now === was)) return others
  const before = shownVariants(was, undefined)
  const names = new Map(before.flatMap((variant, place) => (item.variants[place] ? [[variant, item.variants[place].id] as const] : [])))
  const kept = shownVariants(now, undefined)
  const broughtBack = was.removed.filter((variant) => kept.includes(variant))
  for (const variant of broughtBack) names.set(variant, newRowId(variant))
  const setBack = [
    ...keysOf(was.cells).flatMap((name) => (now.cells[name] === undefined ? [[name, was.base[name] ?? '']] : [])),
    ...broughtBack.flatMap((variant) => variantFieldKeys.map((key) => [cellKey(key, variant), savedText(old, key, variant)])),
  ]
  const cells = Object.fromEntries(
    [...setBack, ...Object.entries(now.cells)].map(([name = '', text]) => {
      const cell = cellOf(name)
      return [cell ? cellKey(cell.key, names.get(cell.variant) ?? cell.variant) : name, text]
    }),
  )
  const removed = before.filter((variant) => !kept.includes(variant)).map((variant) => names.get(variant) ?? variant)
  const added = [...now.added.filter((variant) => !names.has(variant)), ...broughtBack.map(newRowId)]
  return onto(others, new Map([[item.id, item]]), item.id, { ...now, cells, added, removed })
}

function onto(edits: Edits, items: ItemsById, id: string, { cells, added, removed }: RowEdit): Edits {
  const writes = keysOf(cells).flatMap((name) => {
    const cell = cellOf(name)
    const text = cells[name] ?? ''
    return cell && (!isNewRow(cell.variant) || added.includes(cell.variant)) ? [{ id, ...cell, text }] : []
  })
  const blanks = added.map((variant) => ({ id, variant, key: 'weightUnit' as const, text: cells[`weightUnit ${variant}`] ?? '' }))
  const written = withWrites(withoutRows(edits, [id]), items, [...blanks, ...writes])
  return removed
    .filter((variant) => savedVariants(items.get(id)).includes(variant))
    .reduce((all, variant) => withoutVariant(all, items, id, variant), written)
}

export function restoredEdits(stored: unknown): Edits {
  if (typeof stored !== 'object' || stored === null) return {}
  return Object.fromEntries(
    Object.entries(stored as Record<string, Partial<RowEdit> | null>).flatMap(([id, edit]) => {
      const version = edit?.version
      if (!edit || (isNewRow(id) ? version !== null : !Number.isInteger(version))) return []
      const variants = idsOf(edit.variants)
      const restored: RowEdit = {
        version: version as number | null,
        cells: textsOf(edit.cells),
        base: textsOf(edit.base),
        variants,
        added: idsOf(edit.added),
        removed: idsOf(edit.removed),
      }
      return variants.length > 0 && isEdit(restored) ? [[id, restored]] : []
    }),
  )
}

const idsOf = (ids: unknown): string[] => (Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [])

function textsOf(cells: unknown): Cells {
  if (typeof cells !== 'object' || cells === null) return {}
  return Object.fromEntries(Object.entries(cells).filter(([key, text]) => cellOf(key) !== null && typeof text === 'string'))
}
