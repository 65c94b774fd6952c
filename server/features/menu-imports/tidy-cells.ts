import type { ProductCategory } from '#contracts/menu-fields.ts'
import type { MenuFileField } from '#contracts/menu-imports.endpoints.ts'
import { storedFields } from '#server/features/menus/index.ts'
import type { FileRow, MenuFile } from './menu-table.ts'
import { isBareAmount, knownCategory, readWeightUnit } from './read-values.ts'

/** The field of each column, in the order of the file. Null for a skipped column. */
export type Fields = readonly (MenuFileField | null)[]

export type CellError = { field: MenuFileField | null; message: string }

/** A row whose cells can be read on their own, with the file's own cells. `notes` lists units that differ from what the file states. */
export type TidyRow = FileRow & { source: readonly string[]; notes: CellError[] }

const numeric = new Set<MenuFileField>(['price', 'salePrice', 'memberPrice', 'weight', 'stock', 'thc', 'thcMax', 'cbd', 'cbdMax'])
const potencies = ['thc', 'thcMax', 'cbd', 'cbdMax'] as const
const smoked = new Set<ProductCategory | null>(['Flower', 'Pre-Rolls', 'Vapes', 'Concentrates'])
const eaten = new Set<ProductCategory | null>(['Edibles', 'Drinks'])

/** A higher percentage on an edible can only be milligrams. */
const maxEdiblePercent = 1
/** Heavier than any package of flower, so a bare number above it isn't grams. */
const maxGrams = 29
/** A column of fractions has at least this many values, so that a few weak products aren't mistaken for fractions. */
const minFractions = 3

/**
 * Completes cells that only make sense with their column: decimal commas, units in headers ("THC mg/g", "Weight (g)"), percentages as
 * fractions, and weights without a unit.
 */
export function tidyCells({ header, rows }: MenuFile, fields: Fields): TidyRow[] {
  const columnOf = (field: MenuFileField) => fields.indexOf(field)
  const [categoryAt, subcategoryAt, weightAt, unitAt] = (['category', 'subcategory', 'weight', 'weightUnit'] as const).map(columnOf) as [
    number,
    number,
    number,
    number,
  ]
  const numericColumns = fields.flatMap((field, i) => (field !== null && numeric.has(field) ? [i] : []))
  const hasCommas = usesDecimalCommas(rows, numericColumns)
  const hasFractions = columnOf('thcUnit') === -1 && isFractions(rows, columnOf('thc'), hasCommas)
  const statesWeight = /weight|wt|gram/i.test(header[weightAt] ?? '')
  const weightUnit = unitInHeader(header[weightAt] ?? '')
  // Exports from this site state weights as they are stored, so these aren't completed.
  const isOurs = header[unitAt] === storedFields.weightUnit.fileName
  // "Each" in every row states how the product is sold, not the unit of its weight.
  const isSoldByEach = rows.every(({ cells }) => /^(|each|ea|unit|units)$/i.test(cells[unitAt] ?? ''))
  const potencyColumns = potencies.flatMap((field) => {
    const at = columnOf(field)
    return at === -1 || columnOf(`${field.slice(0, 3)}Unit` as MenuFileField) !== -1
      ? []
      : [{ field, at, unit: unitInHeader(header[at] ?? '') }]
  })

  return rows.map((row) => {
    const cells = [...row.cells]
    const notes: CellError[] = []
    if (hasCommas) for (const i of numericColumns) if (cells[i]) cells[i] = withPoints(cells[i])
    const category = knownCategory(cells[categoryAt] ?? '') ?? knownCategory(cells[subcategoryAt] ?? '')

    for (const { field, at, unit } of potencyColumns) {
      const cell = cells[at] ?? ''
      if (!isBareAmount(cell) && !bareRange.test(cell)) continue
      if (hasFractions && isBareAmount(cell)) cells[at] = `${Number((Number(cell) * 100).toFixed(6))}%`
      else if (unit === '%' && eaten.has(category) && Number.parseFloat(cell) > maxEdiblePercent) {
        cells[at] = `${cell} mg`
        notes.push({ field, message: 'Too high for a percentage in an edible. We used mg.' })
      } else if (unit !== null) cells[at] = `${cell} ${unit}`
    }

    const weight = cells[weightAt] ?? ''
    if (!isOurs && isBareAmount(weight)) {
      const unit = weightUnit ?? cells[unitAt] ?? ''
      const stated = readWeightUnit(unit)
      const isUnstated = unit === '' || 'error' in stated
      const isEach = 'value' in stated && stated.value === 'piece'
      const isFraction = !Number.isInteger(Number(weight))
      const isGrams = smoked.has(category) && Number.parseFloat(weight) <= maxGrams && (statesWeight || isFraction || category === 'Flower')
      if (/^1\/[48]$/.test(weight)) cells[weightAt] = `${weight} oz`
      else if (isGrams && isEach && (isSoldByEach || isFraction)) cells[weightAt] = `${weight} g`
      else if (!isUnstated) cells[weightAt] = `${weight} ${unit}`
      else if (isGrams || category === 'Concentrates') cells[weightAt] = `${weight} g`
    }
    notes.push(...unitNotes(row.cells[weightAt] ?? '', cells[weightAt] ?? '', cells[unitAt] ?? ''))
    return { ...row, cells, source: row.cells, notes }
  })
}

function unitNotes(original: string, weight: string, unit: string): CellError[] {
  const stated = readWeightUnit(unit)
  const [, own = ''] = /([a-z][a-z. ]*)$/i.exec(weight) ?? []
  const used = readWeightUnit(own)
  if (!('value' in stated && 'value' in used) || stated.value === null || used.value === null || stated.value === used.value) return []
  const isOunces = (one: string | null, other: string | null) => one === 'oz' && other === 'g'
  if (isBareAmount(original) && stated.value !== 'piece') return []
  if (isOunces(used.value, stated.value) || isOunces(stated.value, used.value) || /[x×]/i.test(weight)) return []
  return [{ field: 'weightUnit', message: `The unit column says “${unit}”. We used ${used.value === 'oz' ? 'ounces' : used.value}.` }]
}

const bareRange = /^\d[\d.,]*\s*(?:-|–|—|to)\s*\d[\d.,]*$/

function unitInHeader(name: string): string | null {
  const [, unit = ''] = /(mg\s*\/\s*g|%|percent|pct|mg|ml|grams?|\bg|\boz)\)?$/i.exec(name.trim()) ?? []
  const word = unit.toLowerCase().replace(/\s/g, '')
  if (word === '') return null
  return /^(%|percent|pct)$/.test(word) ? '%' : /^g/.test(word) ? 'g' : word
}

/** Whether some numbers are written like "35,00" and none like "35.00". */
function usesDecimalCommas(rows: readonly FileRow[], columns: readonly number[]): boolean {
  let hasComma = false
  for (const { cells } of rows) {
    for (const i of columns) {
      const cell = cells[i] ?? ''
      if (/\d\.\d{1,2}(?!\d)/.test(cell)) return false
      hasComma ||= /\d,\d{1,2}(?!\d)/.test(cell)
    }
  }
  return hasComma
}

const withPoints = (cell: string): string => cell.replace(/\d[\d.,]*/g, (number) => number.replaceAll('.', '').replace(',', '.'))

/**
 * Some exports write 23.4% as 0.234. They are recognized by a THC column that has no bare number of 1 or more. Their CBD is a fraction,
 * too.
 */
function isFractions(rows: readonly FileRow[], column: number, hasCommas: boolean): boolean {
  const values = rows.flatMap(({ cells }) => {
    const cell = cells[column] ?? ''
    return isBareAmount(cell) ? [Number(hasCommas ? withPoints(cell) : cell)] : []
  })
  const hasPercents = rows.some(({ cells }) => (cells[column] ?? '').includes('%'))
  return !hasPercents && values.length >= minFractions && values.every((value) => value < 1) && values.some((value) => value > 0)
}
