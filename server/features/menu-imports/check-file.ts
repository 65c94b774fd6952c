import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type MenuField, menuFields } from '#contracts/menu-fields.ts'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import {
  checkTogether,
  emptyRow,
  type ItemRow,
  itemColumns,
  itemWords,
  type StoredItem,
  storedFields,
  valuesOf,
} from '#server/features/menus/index.ts'
import type { WordCheck } from '#server/features/screening/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { type FileRow, type MenuFile, MenuFileRefused } from './read-menu-file.ts'
import * as read from './read-values.ts'

type Fields = readonly (MenuField | null)[]

const previewRows = 20
const maxRowErrors = 100
const maxExamples = 3
const exampleLength = 60
/** Limit in error messages for a cell that can't be stored; a file may have megabytes in one. */
const wrongCellLength = 300
/** Rows processed before yielding to other requests. */
const stretch = 250

/** What each row of a file does to a menu, in order. @throws MenuFileRefused if no column identifies items */
export async function planFile(
  file: MenuFile,
  fields: Fields,
  menu: readonly StoredItem[],
  refusedIn: WordCheck,
  see: (placed: Placed, row: ReadRow) => void,
): Promise<void> {
  if (!fields.includes('name') && !fields.includes('sku')) {
    throw new MenuFileRefused("Choose the column with the items' names (or SKUs).")
  }
  const place = createPlan(menu, fields, refusedIn)
  for (const [i, cells] of file.rows.entries()) {
    const row = readRow(cells, fields)
    see(place(row), row)
    if (i % stretch === stretch - 1) await yieldToOthers()
  }
}

export type Checked = {
  preview: MenuImport['preview']
  rowErrors: MenuImport['rowErrors']
  rowsTotal: number
  rowsRefused: number
}

/**
 * Previews what the import would do now, with up to `maxRowErrors` errors. Without a column for names or SKUs, every row is refused, but
 * the columns can still be mapped.
 */
export async function checkFile(file: MenuFile, fields: Fields, menu: readonly StoredItem[], refusedIn: WordCheck): Promise<Checked> {
  const checked: Checked = { preview: [], rowErrors: [], rowsTotal: file.rows.length, rowsRefused: 0 }
  await planFile(file, fields, menu, refusedIn, (placed, row) => {
    if (checked.preview.length < previewRows) checked.preview.push(toPreview(placed, row))
    if (placed.effect !== 'refused') return
    checked.rowsRefused++
    for (const error of placed.errors) if (checked.rowErrors.length < maxRowErrors) checked.rowErrors.push({ row: row.row, ...error })
  }).catch((error: unknown) => {
    if (!(error instanceof MenuFileRefused)) throw error
    checked.rowsRefused = checked.rowsTotal
    checked.rowErrors = [{ row: 1, field: null, message: error.message }]
  })
  return checked
}

/** As it would be stored, or as in the file if it can't be. */
function toPreview({ effect, item, errors }: Placed, { row, cells }: ReadRow): MenuImport['preview'][number] {
  const values = Object.keys(cells) as MenuField[]
  return {
    row,
    effect,
    errors,
    values: Object.fromEntries(
      values.map((field) => [field, item ? itemCell(item, field) : beginningOf(cells[field] ?? '', wrongCellLength)]),
    ),
  }
}

/** Strips what PostgreSQL's JSON rejects: NUL, and half of a surrogate pair left by truncation. */
const beginningOf = (text: string, length: number): string => text.slice(0, length).replace(/\0|[\ud800-\udbff]$/g, '')

export function describeColumns(file: MenuFile, fields: Fields): MenuImport['columns'] {
  return file.header.map((name, i) => {
    const examples = new Set<string>()
    for (const { cells } of file.rows) {
      if (cells[i]) examples.add(beginningOf(cells[i], exampleLength))
      if (examples.size >= maxExamples) break
    }
    return { name: beginningOf(name, exampleLength), field: fields[i] ?? null, examples: [...examples] }
  })
}

/** Result of a row; for an added or changed item, `item` is what will be stored. */
type Placed =
  | { effect: 'add' | 'change'; item: ItemRow; errors: [] }
  | { effect: 'same'; item: StoredItem; errors: [] }
  | { effect: 'refused'; item: null; errors: CellError[] }

/**
 * Finds the item of each row in a file: the one with the same SKU, or else the first with the same name, and the same brand and
 * weight if the file has them. Each item matches once, so that a menu may have two items with one name.
 */
function createPlan(menu: readonly StoredItem[], fields: readonly (MenuField | null)[], refusedIn: WordCheck): (row: ReadRow) => Placed {
  const has = (field: MenuField) => fields.includes(field)
  /** Lookup key of items for a row without a known SKU; `unit` is undefined if the row has none. */
  const shelfOf = ({ name, brand, weight }: Pick<ItemRow, 'name' | 'brand' | 'weight'>, unit: ItemRow['weight_unit'] | undefined) =>
    JSON.stringify([
      name.toLowerCase(),
      has('brand') ? (brand ?? '').toLowerCase() : 0,
      has('weight') ? weight : 0,
      unit === undefined ? 0 : unit,
    ])
  const bySku = new Map(menu.flatMap((item) => (item.sku === null ? [] : [[item.sku, item] as const])))
  const shelves = new Map<string, { items: StoredItem[]; next: number }>()
  for (const item of menu) {
    // If the file has SKUs, an item with another SKU is another item, regardless of its name.
    if (has('sku') && item.sku !== null) continue
    for (const key of [shelfOf(item, item.weight_unit), shelfOf(item, undefined)]) {
      const shelf = shelves.get(key)
      if (shelf) shelf.items.push(item)
      else shelves.set(key, { items: [item], next: 0 })
    }
  }
  /** The row in which each item, SKU and new name first appeared. */
  const rowOfItem = new Map<string, number>()
  const rowOfSku = new Map<string, number>()
  const rowOfNew = new Map<string, number>()

  const find = (change: Partial<ItemRow>): { item: StoredItem | null; key: string | null } => {
    const ofSku = change.sku ? bySku.get(change.sku) : undefined
    if (ofSku) return { item: ofSku, key: null }
    if (change.name === undefined) return { item: null, key: null }
    const key = shelfOf({ name: change.name, brand: change.brand ?? null, weight: change.weight ?? null }, change.weight_unit)
    const shelf = shelves.get(key)
    if (!shelf) return { item: null, key }
    while (shelf.next < shelf.items.length - 1 && rowOfItem.has((shelf.items[shelf.next] as StoredItem).id)) shelf.next++
    // Once all of them have matched, the row repeats the last one.
    return { item: shelf.items[shelf.next] as StoredItem, key }
  }

  return (row) => {
    const { change, errors } = row
    if (errors.length > 0) return refused(errors)
    const { item: before, key } = find(change)
    const repeated = repeatedRow(change, before, key)
    if (repeated) return refused([repeated])
    const item = before ? { ...before, ...change } : { ...emptyRow(newId()), ...withGuessedUnit(change) }
    const issues = { ...checkTogether(item), ...refusedIn(itemWords(item), before ? Object.values(itemWords(before)) : []) }
    const wrong = Object.entries(issues).map(([field, message]) => ({ field: field as MenuField, message }))
    if (!before && change.name === undefined) wrong.push({ field: 'name', message: 'Name is required' })
    if (!before && change.price_cents === undefined) wrong.push({ field: 'price', message: 'Price is required' })
    if (wrong.length > 0) return refused(wrong)

    if (change.sku) rowOfSku.set(change.sku, row.row)
    if (before) rowOfItem.set(before.id, row.row)
    else if (key !== null && !change.sku) rowOfNew.set(key, row.row)
    if (!before) return { effect: 'add', item, errors: [] }
    const isSame = itemColumns.every((column) => item[column] === before[column])
    return isSame ? { effect: 'same', item: before, errors: [] } : { effect: 'change', item, errors: [] }
  }

  function repeatedRow(change: Partial<ItemRow>, before: StoredItem | null, key: string | null): CellError | null {
    const ofSku = change.sku ? rowOfSku.get(change.sku) : undefined
    if (ofSku !== undefined) return { field: 'sku', message: `Row ${ofSku} has the same SKU` }
    const earlier = before ? rowOfItem.get(before.id) : key !== null && !change.sku ? rowOfNew.get(key) : undefined
    return earlier === undefined ? null : { field: null, message: `Row ${earlier} is the same item` }
  }
}

const refused = (errors: CellError[]): Placed => ({ effect: 'refused', item: null, errors })

const smoked = new Set<ItemRow['category']>(['Flower', 'Pre-Rolls', 'Vapes', 'Concentrates'])

/** Guesses the unit of a bare number: percent for categories that are smoked or vaped, otherwise milligrams. */
function withGuessedUnit(change: Partial<ItemRow>): Partial<ItemRow> {
  if (change.potency_unit !== undefined || (change.thc ?? change.cbd ?? null) === null) return change
  const isPercent = smoked.has(change.category ?? null) && Math.max(change.thc ?? 0, change.cbd ?? 0) <= 100
  return { ...change, potency_unit: isPercent ? 'percent' : 'mg' }
}

type CellError = { field: MenuField | null; message: string }
/** A parsed row: only the columns that the file has. */
type ReadRow = { row: number; cells: Partial<Record<MenuField, string>>; change: Partial<ItemRow>; errors: CellError[] }

type KeysOfKind<Kind> = { [Key in MenuField]: (typeof menuFields)[Key]['kind'] extends Kind ? Key : never }[MenuField]

const choices: Record<KeysOfKind<'choice'>, (cell: string) => read.Read<string | null>> = {
  category: read.readCategory,
  potencyUnit: read.readPotencyUnit,
  weightUnit: read.readWeightUnit,
}
/** A number may be followed by its unit. */
const numbers: Record<KeysOfKind<'number'>, { read: (cell: string) => read.Read<read.Amount<string>>; unit: MenuField }> = {
  thc: { read: read.readPotency, unit: 'potencyUnit' },
  cbd: { read: read.readPotency, unit: 'potencyUnit' },
  weight: { read: read.readWeight, unit: 'weightUnit' },
}

type CellValue = { value: string | number | boolean | null; unit?: string | null }

function readCell(field: MenuField, cell: string): CellValue | { error: string } {
  const { kind } = menuFields[field]
  if (kind === 'text') return read.readText(cell, menuFields[field as KeysOfKind<'text'>].maxLength)
  if (kind === 'price') return read.readPrice(cell)
  if (kind === 'choice') return choices[field as KeysOfKind<'choice'>](cell)
  if (kind === 'switch') return read.readAvailability(cell)
  const found = numbers[field as KeysOfKind<'number'>].read(cell)
  return 'error' in found ? found : { value: found.value.amount, unit: found.value.unit }
}

/** `fields` maps the columns in the order of the file. */
export function readRow({ row, cells }: FileRow, fields: readonly (MenuField | null)[]): ReadRow {
  const result: ReadRow = { row, cells: {}, change: {}, errors: [] }
  fields.forEach((field, i) => {
    if (field !== null) result.cells[field] = cells[i] ?? ''
  })
  const { change, errors } = result
  const units: Partial<Record<MenuField, string>> = {}
  for (const [name, cell] of Object.entries(result.cells)) {
    const field = name as MenuField
    const found = readCell(field, cell)
    if ('error' in found) errors.push({ field, message: found.error })
    // An empty cell leaves a required field unchanged, except the price, which can't be empty.
    else if (found.value === null && field === 'price') errors.push({ field, message: 'Price is required' })
    else if (found.value !== null || !menuFields[field].isRequired) Object.assign(change, { [storedFields[field].column]: found.value })
    if ('unit' in found && found.unit) units[numbers[field as KeysOfKind<'number'>].unit] ??= found.unit
  }
  // A unit column takes precedence over a unit written after the number.
  if (units.potencyUnit) change.potency_unit ??= units.potencyUnit as NonNullable<ItemRow['potency_unit']>
  if (units.weightUnit) change.weight_unit ??= units.weightUnit as NonNullable<ItemRow['weight_unit']>
  return result
}

/** An item's cell in a file, in the form that imports read. */
export function itemCell(item: ItemRow, field: MenuField): string {
  const value = valuesOf(item, [field])[field]
  if (menuFields[field].kind === 'switch') return value ? 'yes' : 'no'
  return value === null ? '' : String(value)
}
