import { type ItemField, type MenuField, menuFields, type VariantField } from '#contracts/menu-fields.ts'
import { type ItemRow, storedFields, type VariantRow, valuesOf } from '#server/features/menus/index.ts'
import type { FileRow, MenuFile } from './menu-table.ts'
import * as read from './read-values.ts'

/** The field of each column, in the order of the file; null: skipped. */
export type Fields = readonly (MenuField | null)[]

export type CellError = { field: MenuField | null; message: string }
/** A parsed row: only the columns that the file has. */
export type ReadRow = {
  row: number
  cells: Partial<Record<MenuField, string>>
  item: Partial<ItemRow>
  variant: Partial<VariantRow>
  errors: CellError[]
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
/** The value of a cell's own field, and those of other fields that the cell implies. */
type Parsed = { value: Value } & Values

const mapRead = <From>(found: read.Read<From>, to: (value: From) => Parsed): read.Read<Parsed> =>
  'error' in found ? found : { value: to(found.value) }

function readCell(field: MenuField, cell: string): read.Read<Parsed> {
  const { kind } = menuFields[field]
  const plain = (found: read.Read<Value>) => mapRead(found, (value) => ({ value }))
  if (kind === 'text') return plain(read.readText(cell, menuFields[field as KeysOfKind<'text'>].maxLength))
  if (kind === 'price') return plain(read.readPrice(cell))
  if (kind === 'choice') return plain(choices[field as KeysOfKind<'choice'>](cell))
  if (kind === 'switch') return plain(read.readAvailability(cell))
  return numbers[field as KeysOfKind<'number'>](cell)
}

export function readRow({ row, cells, error }: FileRow, fields: Fields): ReadRow {
  const result: ReadRow = { row, cells: {}, item: {}, variant: {}, errors: [] }
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
    const field = name as MenuField
    const found = readCell(field, cell)
    if ('error' in found) {
      result.errors.push({ field, message: found.error })
      continue
    }
    const { value, ...others } = found.value
    // An empty cell leaves a required field unchanged, except the price, which can't be empty.
    if (value === null && field === 'price') result.errors.push({ field, message: 'Price is required' })
    else if (value !== null || !menuFields[field].isRequired) values[field] = value
    for (const [other, each] of Object.entries(others)) implied[other as MenuField] ??= each
  }
  addImplied(values, implied, fields)
  for (const [field, value] of Object.entries(values)) {
    const { of } = menuFields[field as MenuField]
    Object.assign(result[of], { [storedFields[field as MenuField].column]: value })
  }
  return result
}

/** Completes a row's values with those that its cells imply. */
function addImplied(values: Values, implied: Values, fields: Fields): void {
  // Someone who writes a unit into a cell means it, whatever the unit's column says.
  for (const unit of ['weightUnit', 'thcUnit', 'cbdUnit'] as const) if (implied[unit]) values[unit] = implied[unit]
  // Our older exports have one unit for THC and CBD.
  if (!fields.includes('cbdUnit') && values.cbd != null && values.thcUnit != null) values.cbdUnit ??= values.thcUnit
  // A single value ends a range that the item had.
  for (const [low, high] of [
    ['thc', 'thcMax'],
    ['cbd', 'cbdMax'],
  ] as const) {
    if (implied[high] != null) values[high] = implied[high]
    else if (values[low] !== undefined && !fields.includes(high)) values[high] = null
  }
  if (implied.isAvailable != null && !fields.includes('isAvailable')) values.isAvailable = implied.isAvailable
}

const smoked = new Set<ItemRow['category'] | undefined>(['Flower', 'Pre-Rolls', 'Vapes', 'Concentrates'])

/** Guesses the unit of a bare number: percent for categories that are smoked or vaped, otherwise milligrams. */
export function withGuessedUnits(item: Partial<ItemRow>): Partial<ItemRow> {
  const guess = (value: number | null | undefined, unit: ItemRow['thc_unit'] | undefined) =>
    unit !== undefined || value == null ? unit : smoked.has(item.category) && value <= 100 ? 'percent' : 'mg'
  const [thc_unit, cbd_unit] = [guess(item.thc_max ?? item.thc, item.thc_unit), guess(item.cbd_max ?? item.cbd, item.cbd_unit)]
  return { ...item, ...(thc_unit === undefined ? {} : { thc_unit }), ...(cbd_unit === undefined ? {} : { cbd_unit }) }
}

/** A column of fractions has at least this many values, so that a few weak products aren't taken for fractions. */
const minFractions = 3

/**
 * Some exports write 23.4 % as 0.234. They are recognized by a THC column that has no value of 1 or more and no unit; their CBD is a
 * fraction, too.
 */
export function withPercents(file: MenuFile, fields: Fields): MenuFile {
  const thc = fields.indexOf('thc')
  if (thc === -1 || fields.includes('thcUnit')) return file
  const values = file.rows.flatMap(({ cells }) => (cells[thc] ? [Number(cells[thc])] : []))
  if (values.length < minFractions || !values.every((value) => value >= 0 && value < 1) || values.every((value) => value === 0)) return file
  const columns = new Set([thc, ...(['thcMax', 'cbd', 'cbdMax'] as const).map((field) => fields.indexOf(field))])
  const toPercent = (cell: string) => (/^[\d.]+$/.test(cell) ? `${Number((Number(cell) * 100).toFixed(6))}%` : cell)
  return {
    ...file,
    rows: file.rows.map(({ cells, ...row }) => ({ ...row, cells: cells.map((cell, i) => (columns.has(i) ? toPercent(cell) : cell)) })),
  }
}

/** A cell of a variant's row in a file, in the form that imports read. */
export function menuCell(item: ItemRow, variant: VariantRow, field: MenuField): string {
  const value: Value =
    menuFields[field].of === 'item'
      ? valuesOf(item, [field as ItemField])[field as ItemField]
      : valuesOf(variant, [field as VariantField])[field as VariantField]
  if (menuFields[field].kind === 'switch') return value ? 'yes' : 'no'
  return value === null ? '' : String(value)
}
