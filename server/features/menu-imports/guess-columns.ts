import { type MenuField, menuFieldKeys, menuFields } from '#contracts/menu-fields.ts'
import type { MenuFileField } from '#contracts/menu-imports.endpoints.ts'
import { storedFields } from '#server/features/menus/index.ts'
import { readAvailability, readStrainType } from './read-values.ts'

export const bareName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/%/g, 'percent')
    .replace(/#/g, 'number')
    .replace(/[^a-z0-9]/g, '')

/** The shop column is guessed from the shops' names: see rows-of-shop.ts. */
type GuessedField = Exclude<MenuFileField, 'shop'>
const fileFields: readonly GuessedField[] = [...menuFieldKeys, 'imageUrl', 'isActive', 'isHidden']

const namesOf = (field: GuessedField): readonly string[] => {
  if (field === 'isActive')
    return ['isactive', 'active', 'published', 'ispublished', 'online', 'isonline', 'enabled', 'showonmenu', 'status']
  if (field === 'imageUrl') return pictureNames
  return field === 'isHidden' ? ['hidden', 'ishidden'] : storedFields[field].fileNames
}

const pictureNames = [
  'imageurl',
  'photourl',
  'pictureurl',
  'image',
  'photo',
  'picture',
  'images',
  'photos',
  'imagelink',
  'mainimage',
  'image1',
]

/** "Net Weight (g)" → "Net Weight", "THC %" → "THC", "Price (incl. tax)" → "Price". */
const amountSuffix = /[\s_(]+(mg\/g|mg|g|grams?|oz|%)\)?$/i
const moneySuffix = /[\s_(]+(\$|usd|cad|(incl|excl|with|without|before|plus)\w*\.?\s+tax\w*|pre-?tax)\)?$/i
const hasAmounts = (field: MenuFileField): boolean => /^(weight|thc|thcMax|cbd|cbdMax)$/.test(field)
const hasMoney = (field: MenuFileField): boolean => field in menuFields && menuFields[field as MenuField].kind === 'price'

const exactNames = (field: GuessedField, name: string): string[] => [
  bareName(name),
  hasAmounts(field) ? bareName(name.replace(amountSuffix, '')) : hasMoney(field) ? bareName(name.replace(moneySuffix, '')) : '',
]

/** "Prod. Name (do not edit)" → "Prod. Name", "RETAIL $ (OTD)" → "RETAIL", "Cat / Dept" → also "Cat" and "Dept" if both name the field. */
function looseNames(field: GuessedField, name: string): string[] {
  if (/cost|wholesale/i.test(name)) return []
  const bare = (part: string) => bareName(part.replace(/[$%#]/g, ''))
  const plain = name.replace(/\([^)]*\)/g, ' ')
  const parts = plain.split('/').map(bare)
  return [bare(plain), ...(parts.every((part) => namesOf(field).includes(part)) ? parts : [])]
}

type Row = { cells: readonly string[] }

/** Rows read for a guess; more wouldn't improve it. */
const sampleSize = 2000

/** Guesses each column's field from its name and, if `rows` are given, its cells. Uses each field at most once. */
export function guessColumns(header: readonly string[], rows: readonly Row[] = []): (MenuFileField | null)[] {
  const sample = rows.slice(0, sampleSize)
  const cellsOf = (column: number) => sample.flatMap(({ cells }) => cells[column] || [])
  const guesses: (MenuFileField | null)[] = header.map(() => null)
  for (const namesIn of [exactNames, looseNames]) for (const field of fileFields) if (!guesses.includes(field)) guess(field, namesIn)

  function guess(field: GuessedField, namesIn: typeof exactNames) {
    const names = header.map((name) => namesIn(field, name))
    const columns = namesOf(field).flatMap((name) => names.flatMap((each, i) => (each.includes(name) ? [i] : [])))
    const fits = columns.filter((i) => guesses[i] === null && mayBe(field, cellsOf(i), i))
    const best = field === 'thc' || field === 'cbd' ? mostPotent(fits) : fits[0]
    if (best !== undefined) guesses[best] = field
  }

  /** Whether the cells may belong to this field, if the column's name alone doesn't decide it. */
  function mayBe(field: MenuFileField, cells: readonly string[], column: number): boolean {
    if (field === 'isAvailable' && bareName(header[column] ?? '') === 'status') return cells.some((cell) => /stock|sold|avail/i.test(cell))
    if (cells.length === 0) return true
    if (field === 'sku') return identifiesRows(sample, column)
    if (field === 'strain' || field === 'category') return !cells.every(isStrainType)
    if (field === 'imageUrl') return cells.some((cell) => /^https?:/i.test(cell))
    if (field === 'isActive') return cells.every((cell) => 'value' in readAvailability(cell) && !/stock|sold/i.test(cell))
    return true
  }

  /** In exports with THC and THCA but no total, the THC column covers only the THC that has already formed from THCA. */
  function mostPotent(columns: readonly number[]): number | undefined {
    const [first, ...others] = columns
    if (first === undefined || bareName(header[first] ?? '').includes('total')) return first
    const sum = (column: number) => cellsOf(column).reduce((total, cell) => total + (Number.parseFloat(cell) || 0), 0)
    return others.filter((i) => /(thc|cbd)a/.test(bareName(header[i] ?? ''))).find((i) => sum(i) > sum(first)) ?? first
  }

  const replace = (from: MenuFileField, to: MenuFileField, when: (column: number) => boolean) => {
    const at = guesses.indexOf(from)
    if (at !== -1 && !guesses.includes(to) && when(at)) guesses[at] = to
  }
  replace('isAvailable', 'stock', (column) => cellsOf(column).some(isQuantity))
  replace('thcMax', 'thc', () => true)
  replace('cbdMax', 'cbd', () => true)
  const typed = header.findIndex(
    (name, i) => guesses[i] === null && strainColumns.has(bareName(name)) && cellsOf(i).length > 0 && cellsOf(i).every(isStrainType),
  )
  if (typed !== -1 && !guesses.includes('strainType')) guesses[typed] = 'strainType'
  return guesses
}

const strainColumns = new Set(['classification', 'class', 'type', 'producttype', 'strain'])
const isStrainType = (cell: string): boolean => {
  const found = readStrainType(cell)
  return /^(cbd|high cbd|n\/?a|none|-)$/i.test(cell) || ('value' in found && found.value !== null)
}

/** A number other than 0 and 1, which may mean no and yes. */
const isQuantity = (cell: string): boolean => /^-?\d/.test(cell) && !/^[01]$/.test(cell)

/** Share of rows that must have a unique ID: some exports repeat a product's ID for each of its weights. A few may be mistakes. */
const minDistinct = 0.8
const fewMistakes = 2

function identifiesRows(rows: readonly Row[], column: number): boolean {
  const rowsOfId = new Map<string, Set<string>>()
  for (const { cells } of rows) {
    const id = cells[column]
    if (id) rowsOfId.set(id, (rowsOfId.get(id) ?? new Set()).add(cells.join('\n')))
  }
  const distinct = [...rowsOfId.values()].reduce((sum, each) => sum + each.size, 0)
  return rowsOfId.size >= distinct * minDistinct || distinct - rowsOfId.size <= fewMistakes
}

export function includesTax(name: string): boolean | null {
  const text = name.toLowerCase().replace(/[^a-z]/g, '')
  if (/(excl\w*|before|without|plus|pre)tax/.test(text)) return false
  return /(incl\w*|with|after)tax|taxincl|otd$|outthedoor/.test(text) ? true : null
}

/** Returns 0 if no column identifies items, so that other rows are rarely mistaken for a header. */
export function guessedCount(cells: readonly string[]): number {
  const fields = guessColumns(cells).filter((field) => field !== null)
  return fields.includes('name') || fields.includes('sku') ? fields.length : 0
}
