import { type ItemField, type MenuField, menuFields, type VariantField } from '#contracts/menu-fields.ts'
import type { MenuFileField } from '#contracts/menu-imports.endpoints.ts'
import { type ItemRow, storedFields, type VariantRow, valuesOf } from '#server/features/menus/index.ts'
import type { FileRow } from './menu-table.ts'
import * as read from './read-values.ts'
import type { CellError, Fields, TidyRow } from './tidy-cells.ts'

/** A parsed row: only the columns that the file has. */
export type ReadRow = {
  /** Several rows share a number if the file has a price column for each weight. */
  row: number
  /** All cells as in the file. */
  source: readonly string[]
  cells: Partial<Record<MenuFileField, string>>
  item: Partial<ItemRow>
  variant: Partial<VariantRow>
  /** Whether the point of sale publishes the item. */
  isActive: boolean
  errors: CellError[]
  /** Notes for an editor. The row can still be stored. */
  notes: CellError[]
}

type KeysOfKind<Kind> = { [Key in MenuField]: (typeof menuFields)[Key]['kind'] extends Kind ? Key : never }[MenuField]

const choices: Record<KeysOfKind<'choice'>, (cell: string) => read.Read<string | null>> = {
  category: read.readCategory,
  strainType: read.readStrainType,
  thcUnit: read.readPotencyUnit,
  cbdUnit: read.readPotencyUnit,
  weightUnit: read.readWeightUnit,
}
/** A cell may imply other fields: a weight its unit, a potency the high end of its range, a stock its availability. */
const numbers: Record<KeysOfKind<'number'>, (cell: string) => read.Read<Parsed>> = {
  weight: (cell) => mapRead(read.readWeight(cell), ({ amount, unit }) => ({ value: amount, weightUnit: unit })),
  stock: (cell) => mapRead(read.readStock(cell), ({ amount, isAvailable }) => ({ value: amount, isAvailable })),
  thc: (cell) => mapRead(read.readPotency(cell), ({ amount, max, unit }) => ({ value: amount, thcMax: max, thcUnit: unit })),
  thcMax: (cell) => mapRead(read.readPotency(cell), ({ amount, unit }) => ({ value: amount, thcUnit: unit })),
  cbd: (cell) => mapRead(read.readPotency(cell), ({ amount, max, unit }) => ({ value: amount, cbdMax: max, cbdUnit: unit })),
  cbdMax: (cell) => mapRead(read.readPotency(cell), ({ amount, unit }) => ({ value: amount, cbdUnit: unit })),
}

type Value = string | number | boolean | null
type Values = { [Key in MenuField]?: Value }
/** The value of a cell's own field and of any other fields it implies. */
type Parsed = { value: Value } & Values

const mapRead = <From>(found: read.Read<From>, to: (value: From) => Parsed): read.Read<Parsed> =>
  'error' in found ? found : { value: to(found.value) }

function readCell(field: MenuField, cell: string): read.Read<Parsed> {
  const { kind } = menuFields[field]
  const plain = (found: read.Read<Value>) => mapRead(found, (value) => ({ value }))
  if (kind === 'text') return plain(read.readText(cell, menuFields[field as KeysOfKind<'text'>].maxLength))
  if (kind === 'price') return plain(read.readPrice(cell))
  if (kind === 'date') return plain(read.readDate(cell))
  if (kind === 'choice') return plain(choices[field as KeysOfKind<'choice'>](cell))
  if (kind === 'switch') return plain(read.readAvailability(cell))
  return numbers[field as KeysOfKind<'number'>](cell)
}

export function readRow({ row, cells, source = cells, error, notes = [] }: FileRow & Partial<TidyRow>, fields: Fields): ReadRow {
  const result: ReadRow = { row, source, cells: {}, item: {}, variant: {}, isActive: true, errors: [], notes }
  fields.forEach((field, i) => {
    if (field !== null) result.cells[field] = cells[i] ?? ''
  })
  if (error !== undefined) {
    result.errors.push({ field: null, message: error })
    return result
  }
  const values: Values = {}
  const implied: Values = {}
  for (const [name, cell] of Object.entries(result.cells)) {
    if (name === 'shop') continue
    if (name === 'isActive' || name === 'isHidden') {
      readPublished(name, cell, result)
      continue
    }
    if (name === 'imageUrl') {
      readPicture(cell, result)
      continue
    }
    const field = name as MenuField
    const found = readCell(field, cell)
    if ('error' in found) {
      // The rest of a row is useful without its potency.
      const isMinor = field in potencyFields
      if (isMinor) result.notes.push({ field, message: `“${cell.slice(0, maxQuoted)}” can’t be read. Left empty.` })
      else result.errors.push({ field, message: found.error })
      continue
    }
    const { value, ...others } = found.value
    // An empty cell leaves a required field unchanged, except the price, which can't be empty.
    if (value === null && field === 'price') result.errors.push({ field, message: 'Price is required' })
    else if (value !== null || !menuFields[field].isRequired) values[field] = value
    for (const [other, each] of Object.entries(others)) implied[other as MenuField] ??= each
  }
  addImplied(values, implied, fields)
  findCategory(values, result)
  // Many systems write 0 or the regular price if there is no sale price or subscriber price.
  for (const field of ['salePrice', 'memberPrice'] as const) {
    if (values[field] === 0 || (values[field] !== undefined && values[field] === values.price)) values[field] = null
  }
  for (const [field, value] of Object.entries(values)) {
    const { of } = menuFields[field as MenuField]
    Object.assign(result[of], { [storedFields[field as MenuField].column]: value })
  }
  return result
}

const potencyFields: Partial<Record<MenuField, true>> = { thc: true, thcMax: true, cbd: true, cbdMax: true }
/** How many characters of a cell a note quotes. */
const maxQuoted = 40

function readPublished(field: 'isActive' | 'isHidden', cell: string, result: ReadRow): void {
  const found = read.readAvailability(cell)
  if ('error' in found) result.errors.push({ field, message: found.error })
  else if (found.value === (field === 'isHidden')) result.isActive = false
}

/** The rest of a row is useful without its picture. */
function readPicture(cell: string, { item, notes }: ReadRow): void {
  const found = read.readPictureUrl(cell)
  if ('value' in found) item.picture_url = found.value
  else notes.push({ field: 'imageUrl', message: `“${cell.slice(0, maxQuoted)}” isn’t a web address. No picture was added.` })
}

/** The subcategory may explain a business's own name for a category. */
function findCategory(values: Values, { cells, notes }: ReadRow): void {
  const cell = cells.category ?? ''
  if (values.category !== 'Other' || read.knownCategory(cell) === 'Other') return
  values.category = read.knownCategory(cells.subcategory ?? '') ?? 'Other'
  if (values.category === 'Other') {
    notes.push({ field: 'category', message: `“${cell.slice(0, maxQuoted)}” isn’t one of our categories. We used Other.` })
  }
}

function addImplied(values: Values, implied: Values, fields: Fields): void {
  // A unit in the cell overrides the unit column.
  for (const unit of ['weightUnit', 'thcUnit', 'cbdUnit'] as const) if (implied[unit]) values[unit] = implied[unit]
  // Older exports from this site have one unit for THC and CBD.
  if (!fields.includes('cbdUnit') && values.cbd != null && values.thcUnit != null) values.cbdUnit ??= values.thcUnit
  // A single value replaces the item's range.
  for (const [low, high] of [
    ['thc', 'thcMax'],
    ['cbd', 'cbdMax'],
  ] as const) {
    if (implied[high] != null) values[high] = implied[high]
    else if (values[low] !== undefined && !fields.includes(high)) values[high] = null
    if (values[high] !== undefined && values[high] === values[low]) values[high] = null
  }
  if (implied.isAvailable != null && !fields.includes('isAvailable')) values.isAvailable = implied.isAvailable
}

const smoked = new Set<ItemRow['category'] | undefined>(['Flower', 'Pre-Rolls', 'Vapes', 'Concentrates'])

/** Guesses the unit of a bare number: percent for categories that are smoked or vaped, otherwise milligrams. */
export function withGuessedUnits(item: Partial<ItemRow>, before: ItemRow | null = null): Partial<ItemRow> {
  const category = item.category === undefined ? before?.category : item.category
  const guess = (field: 'thc' | 'cbd') => {
    const [value, unit] = [item[`${field}_max`] ?? item[field], item[`${field}_unit`]]
    if (value == null || unit != null || (unit === undefined && before?.[`${field}_unit`] != null)) return unit
    // An older item without a unit stays as it is.
    if (before?.[`${field}_unit`] === null && value === (before[`${field}_max`] ?? before[field])) return unit
    return smoked.has(category) && value <= 100 ? 'percent' : 'mg'
  }
  const [thc_unit, cbd_unit] = [guess('thc'), guess('cbd')]
  return { ...item, ...(thc_unit === undefined ? {} : { thc_unit }), ...(cbd_unit === undefined ? {} : { cbd_unit }) }
}

/** Formats a field of a variant's row the way imports read it. */
export function menuCell(item: ItemRow, variant: VariantRow, field: MenuField): string {
  const value: Value =
    menuFields[field].of === 'item'
      ? valuesOf(item, [field as ItemField])[field as ItemField]
      : valuesOf(variant, [field as VariantField])[field as VariantField]
  if (menuFields[field].kind === 'switch') return value ? 'yes' : 'no'
  return value === null ? '' : String(value)
}
