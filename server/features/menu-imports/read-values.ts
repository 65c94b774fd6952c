import { productCategories } from '#contracts/menu-fields.rules.ts'
import type { ProductCategory, StrainType, WeightUnit } from '#contracts/menu-fields.ts'

/** A parsed cell or its error. An empty cell means no value. */
export type Read<Value> = { value: Value } | { error: string }

const value = <Value>(of: Value): Read<Value> => ({ value: of })
const error = (message: string): Read<never> => ({ error: message })

export function readText(cell: string, max: number): Read<string | null> {
  if (cell.includes('\0')) return error('Remove the invisible characters')
  if (cell.length > max) return error(`At most ${max} characters`)
  return value(cell === '' ? null : cell)
}

/** Longer than any number with its unit. Cells may be longer, and matching a number in them would take minutes. */
const maxNumberLength = 60

const highestCents = 99_999_999

/** Parses "$1,234.50", "12,5 €" or "USD 12" into cents. */
export function readPrice(cell: string): Read<number | null> {
  if (cell.length > maxNumberLength) return error('Enter a price such as 12.50')
  const text = cell.replace(/^(usd|cad|eur|us\$|ca\$)|(usd|cad|eur)$/i, '').replace(/[$€\s]/g, '')
  if (text === '') return cell === '' ? value(null) : error('Enter a price such as 12.50')
  const plain = plainNumber(text)
  const [, whole, part = ''] = /^(\d+)(?:\.(\d*))?$/.exec(plain) ?? []
  if (whole === undefined) return error('Enter a price such as 12.50')
  if (part.slice(2).replace(/0/g, '') !== '') return error('A price has at most two decimals')
  const cents = Number(whole) * 100 + Number(part.slice(0, 2).padEnd(2, '0'))
  return cents <= highestCents ? value(cents) : error('This price is too high')
}

/** Normalizes decimals to a dot, whatever the country: "1.234,50", "1,234.50" and "12,5" use separators differently. */
function plainNumber(text: string): string {
  const comma = text.lastIndexOf(',')
  const dot = text.lastIndexOf('.')
  if (comma === -1) return text
  if (dot > comma) return /^\d{1,3}(,\d{3})+\.\d*$/.test(text) ? text.replaceAll(',', '') : text
  if (dot !== -1) return /^\d{1,3}(\.\d{3})+,\d*$/.test(text) ? text.replaceAll('.', '').replace(',', '.') : text
  return /^\d{1,3}(,\d{3})+$/.test(text) ? text.replaceAll(',', '') : text.replace(',', '.')
}

const highestAmount = 100_000

function readNumber(text: string): Read<number> {
  const fraction = /^(\d+)\s*\/\s*(\d+)$/.exec(text)
  const number = fraction
    ? Number(fraction[1]) / Number(fraction[2])
    : /^(\d+\.?\d*|\.\d+)(e-?\d+)?$/i.test(plainNumber(text))
      ? Number(plainNumber(text))
      : Number.NaN
  if (!Number.isFinite(number)) return error('Must be a number')
  return number <= highestAmount ? value(number) : error(`At most ${highestAmount}`)
}

export type Amount<Unit> = { amount: number | null; unit: Unit | null }

const potencyUnits: Readonly<Record<string, 'percent' | 'mg'>> = {
  '%': 'percent',
  percent: 'percent',
  pct: 'percent',
  mg: 'mg',
  milligram: 'mg',
  milligrams: 'mg',
}

export function readPotencyUnit(cell: string): Read<'percent' | 'mg' | null> {
  if (cell === '') return value(null)
  const unit = potencyUnits[cell.toLowerCase().replace(/\.$/, '')]
  return unit ? value(unit) : error('Must be percent or mg')
}

/** `max` is the upper end of a range. */
export type Potency = { amount: number | null; max: number | null; unit: 'percent' | 'mg' | null }

const potencyError = error('Must be a number, percent or mg')
const potencyPrefix = /^(total\s*)?(thc|cbd)a?\s*[:=]?\s*/i
const potencyRange = /^(\d[\d.,]*)\s*(?:%|mg)?\s*(?:-|–|—|to)\s*(\d[\d.,]*)\s*([a-z%/]*)\.?$/i

/**
 * Parses "22.5%", "10 mg", "THC: 23.83%", "18.2-24.1%", "234 mg/g" (23.4 %) and "0.8"; labs write "<1" and "-" for nothing found.
 */
export function readPotency(cell: string): Read<Potency> {
  if (cell.length > maxNumberLength) return potencyError
  const text = cell.replace(potencyPrefix, '')
  if (/^(|-|–|n\/?a|nd|<.*|none)$/i.test(text)) return value({ amount: null, max: null, unit: null })
  const range = potencyRange.exec(text)
  const [, low = '', high = null, unit = ''] = range ?? singlePotency(text)
  const isPerGram = /^mg\/g$/i.test(unit)
  const known = unit === '' ? null : isPerGram ? 'percent' : potencyUnits[unit.toLowerCase()]
  if (known === undefined) return potencyError
  const amounts = [low, ...(high === null ? [] : [high])].map(readNumber)
  const wrong = amounts.find((each) => 'error' in each)
  if (wrong) return wrong as Read<never>
  // A milligram per gram is a tenth of a percent. Rounded, because binary fractions of ten aren't exact.
  const [amount = 0, max = null] = amounts
    .map((each) => (each as { value: number }).value)
    .map((each) => (isPerGram ? Number((each / 10).toFixed(6)) : each))
  return value({ amount, max: max === amount ? null : max, unit: known })
}

function singlePotency(text: string): [string, string, null, string] {
  const [, number = '', unit = ''] = /^([\d.,e-]+)\s*([a-z%/]*)\.?$/i.exec(text) ?? []
  return [text, number, null, unit]
}

const weightWords: Readonly<Record<string, WeightUnit>> = {
  g: 'g',
  gr: 'g',
  gm: 'g',
  gram: 'g',
  grams: 'g',
  oz: 'oz',
  ounce: 'oz',
  ounces: 'oz',
  mg: 'mg',
  milligram: 'mg',
  milligrams: 'mg',
  ml: 'ml',
  milliliter: 'ml',
  milliliters: 'ml',
  piece: 'piece',
  pieces: 'piece',
  pc: 'piece',
  pcs: 'piece',
  each: 'piece',
  ea: 'piece',
  unit: 'piece',
  units: 'piece',
  ct: 'piece',
  count: 'piece',
  pack: 'piece',
  pk: 'piece',
}
const namedWeights: Readonly<Record<string, Amount<WeightUnit>>> = {
  gram: { amount: 1, unit: 'g' },
  eighth: { amount: 3.5, unit: 'g' },
  quarter: { amount: 7, unit: 'g' },
  half: { amount: 14, unit: 'g' },
  ounce: { amount: 28, unit: 'g' },
}

export function readWeightUnit(cell: string): Read<WeightUnit | null> {
  if (cell === '') return value(null)
  const unit = weightWords[cell.toLowerCase().replace(/\.$/, '')]
  return unit ? value(unit) : error('Must be g, oz, mg, ml or piece')
}

/** How the trade weighs an ounce and its fractions. Other amounts stay in ounces: a drink of 12 oz has no weight in grams. */
const gramsOfOunces: Readonly<Record<string, number>> = { '0.125': 3.5, '0.25': 7, '0.5': 14, '1': 28 }

/** Parses "3.5g", "1/8 oz" (3.5 g), "eighth", "2 x 0.5 g", "10 x 10mg" (10 pieces) and "10". */
export function readWeight(cell: string): Read<Amount<WeightUnit>> {
  if (cell === '') return value({ amount: null, unit: null })
  if (cell.length > maxNumberLength) return error('Must be a weight such as 3.5 g')
  const named = namedWeights[cell.toLowerCase()]
  if (named) return value(named)
  const pack = /^(\d+)\s*[x×]\s*(\d[\d.]*)\s*(mg|g)$/i.exec(cell)
  if (pack) {
    const [count, each] = [Number(pack[1]), Number(pack[2])]
    return value(
      pack[3]?.toLowerCase() === 'g' ? { amount: Number((count * each).toFixed(6)), unit: 'g' } : { amount: count, unit: 'piece' },
    )
  }
  const [, number = '', unit = ''] = /^([\d.,e/-]+(?:\s*\/\s*\d+)?)\s*([a-z]*)\.?$/i.exec(cell) ?? []
  const known = unit === '' ? null : weightWords[unit.toLowerCase()]
  if (number === '' || known === undefined) return error('Must be a weight such as 3.5 g')
  const read = readNumber(number)
  if ('error' in read) return read
  const grams = known === 'oz' ? gramsOfOunces[String(read.value)] : undefined
  return value(grams === undefined ? { amount: read.value, unit: known } : { amount: grams, unit: 'g' })
}

const yes = /^(y|yes|true|t|x|in[ -]?stock|available|active|published|on|live)$/i
const no = /^(n|no|false|f|out[ -]?of[ -]?stock|sold[ -]?out|unavailable|inactive|unpublished|off|hidden|none)$/i

/** Parses yes and no, or a stock count. */
export function readAvailability(cell: string): Read<boolean | null> {
  if (cell === '') return value(null)
  if (cell.length > maxNumberLength) return error('Must be yes or no')
  if (yes.test(cell)) return value(true)
  if (no.test(cell)) return value(false)
  const number = Number(plainNumber(cell))
  return Number.isFinite(number) ? value(number > 0) : error('Must be yes or no')
}

/** Parses a quantity on hand: "12", "47.5 g", or only whether there is any: "In Stock", "N". A negative quantity counts as 0. */
export function readStock(cell: string): Read<{ amount: number | null; isAvailable: boolean | null }> {
  if (cell === '') return value({ amount: null, isAvailable: null })
  const wrong = error('Must be a quantity, or yes or no')
  if (cell.length > maxNumberLength) return wrong
  if (yes.test(cell)) return value({ amount: null, isAvailable: true })
  if (no.test(cell)) return value({ amount: null, isAvailable: false })
  const [, sign = '', number = '', unit = ''] = /^(-?)([\d.,e-]+)\s*([a-z]*)\.?$/i.exec(cell) ?? []
  if (number === '' || !(unit === '' || unit.toLowerCase() in weightWords)) return wrong
  const read = readNumber(number)
  if ('error' in read) return read
  const amount = sign === '' ? read.value : 0
  return value({ amount, isAvailable: amount > 0 })
}

/** "Indica", "S", "Indica-dominant hybrid". Other words aren't strain types. */
export function readStrainType(cell: string): Read<StrainType | null> {
  const text = cell.toLowerCase()
  if (/hybrid|^h$/.test(text)) return value('hybrid')
  return value(/indica|^i$/.test(text) ? 'indica' : /sativa|^s$/.test(text) ? 'sativa' : null)
}

/** Shops' words for categories; the first match wins, so "Infused Pre-Roll" is not a concentrate. */
const categoryWords: readonly (readonly [RegExp, ProductCategory])[] = [
  [/pre-?\s?roll|joint|blunt/, 'Pre-Rolls'],
  [/vape|cart|pod|disposable/, 'Vapes'],
  [/seed|clone|plant/, 'Seeds & Clones'],
  [/drink|beverage|soda|tea|coffee/, 'Drinks'],
  [/tincture|sublingual|\boil drops/, 'Tinctures'],
  [/topical|lotion|balm|salve|cream|patch/, 'Topicals'],
  [/edible|gumm|chocolate|cookie|candy|capsule|baked/, 'Edibles'],
  [/concentrate|extract|wax|shatter|rosin|resin|hash|kief|dab|distillate/, 'Concentrates'],
  [/flower|bud|eighth|smalls|shake/, 'Flower'],
  [/accessor|gear|paper|grinder|pipe|glass|apparel|merch|battery/, 'Accessories'],
]
const byName = new Map(productCategories.map((name) => [name.toLowerCase(), name]))

/** Unknown words become "Other". */
export function readCategory(cell: string): Read<ProductCategory | null> {
  if (cell === '') return value(null)
  const text = cell.toLowerCase()
  return value(byName.get(text) ?? categoryWords.find(([words]) => words.test(text))?.[1] ?? 'Other')
}
