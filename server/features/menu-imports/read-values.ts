import { figure } from '#contracts/fields.ts'
import { productCategories } from '#contracts/menu-fields.rules.ts'
import { isFluidOunces, menuFields, type ProductCategory, type StrainType, type WeightUnit, weightUnitOf } from '#contracts/menu-fields.ts'

/** A parsed cell or its error. An empty cell means no value. */
export type Read<Value> = { value: Value } | { error: string }

const value = <Value>(of: Value): Read<Value> => ({ value: of })
const error = (message: string): Read<never> => ({ error: message })

export function readText(cell: string, max: number): Read<string | null> {
  if (cell.includes('\0')) return error('Remove the invisible characters')
  if (cell.length > max) return error(`At most ${max} characters`)
  // Systems that cut off text may leave half an emoji. Stored text never contains one, so the next menu would seem to change the text.
  return value(cell === '' ? null : cell.toWellFormed())
}

const maxUrlLength = 1000

/** The address of a picture. Cells may list several; the first counts. */
export function readPictureUrl(cell: string): Read<string | null> {
  const [first = ''] = cell.split(/[\s,;|]+(?=https?:)/i)
  if (/^(|-|none|n\/?a|null)$/i.test(first)) return value(null)
  const url = first.length <= maxUrlLength && URL.canParse(first) ? new URL(first) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.href.length > maxUrlLength) {
    return error('Enter a full address that starts with https://')
  }
  return value(url.href)
}

/** Longer than any number with its unit. Cells may be longer, and matching a number in them would take minutes. */
const maxNumberLength = 60

const highestCents = 99_999_999

/** Parses "$1,234.50", "12,5 €" or "USD 12" into cents. */
export function readPrice(cell: string): Read<number | null> {
  if (cell.length > maxNumberLength) return error('Enter a price such as 12.50')
  const text = cell
    .replace(/\s*(\/|per)\s*(ea|each|unit)\.?$|\s+(ea|each)\.?$/i, '')
    .replace(/^(usd|cad|eur|us\$|ca\$)|(usd|cad|eur)$/i, '')
    .replace(/[$€\s]/g, '')
  if (text === '') return cell === '' ? value(null) : error('Enter a price such as 12.50')
  const plain = plainNumber(text)
  const [, whole, part = ''] = /^(\d+)(?:\.(\d*))?$/.exec(plain) ?? []
  if (whole === undefined) return error('Enter a price such as 12.50')
  if (part.slice(2).replace(/0/g, '') !== '') return error('A price has at most two decimals')
  const cents = Number(whole) * 100 + Number(part.slice(0, 2).padEnd(2, '0'))
  return cents <= highestCents ? value(cents) : error('This price is too high')
}

const dateError = error('Enter a date such as 2026-12-24')

/** Parses "2026-12-24", with or without a time, and "12/24/2026", as written in the US. */
export function readDate(cell: string): Read<string | null> {
  if (cell === '') return value(null)
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]\d{1,2}:.{0,30})?$/.exec(cell)
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?: \d{1,2}:.{0,12})?$/.exec(cell)
  const [year = '', month = '', day = ''] = iso ? iso.slice(1) : american ? [american[3], american[1], american[2]] : []
  const date = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const { data } = menuFields.saleStarts.change.safeParse(date)
  return data ? value(data) : dateError
}

/** Makes the decimal separator a dot and drops thousands separators: "1.234,50", "1,234.50" and "12,5" are all understood. */
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
  return number <= highestAmount ? value(number) : error(`At most ${figure(highestAmount)}`)
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
const potencySuffix = /(?:\s+(?:total|thca?|cbda?))+$/i
const potencyRange = /^(\d[\d.,]*)\s*(?:%|mg\/g|mg)?\s*(?:-|–|—|to)\s*(\d[\d.,]*)\s*([a-z%/]*)\.?$/i

/** Parses "22.5%", "10 mg", "THC: 23.83%", "18.2-24.1%", "234 mg/g" (23.4%) and "0.8"; labs write "<1" and "-" for nothing found. */
export function readPotency(cell: string): Read<Potency> {
  if (cell.length > maxNumberLength) return potencyError
  const text = cell.replace(potencyPrefix, '').replace(potencySuffix, '')
  if (/^(|-|–|n\/?a|n\.?d\.?|<.*|none|null|tbd)$/i.test(text)) return value({ amount: null, max: null, unit: null })
  const range = potencyRange.exec(text)
  const [, low = '', high = null, unit = ''] = range ?? singlePotency(text)
  const isPerGram = /^mg\/g$/i.test(unit)
  const known = unit === '' ? null : isPerGram ? 'percent' : potencyUnits[unit.toLowerCase()]
  if (known === undefined) return potencyError
  const amounts = [low, ...(high === null ? [] : [high])].map(readNumber)
  const wrong = amounts.find((each) => 'error' in each)
  if (wrong) return wrong as Read<never>
  // A milligram per gram is a tenth of a percent. Rounded, because tenths aren't exact in binary.
  const [amount = 0, max = null] = amounts
    .map((each) => (each as { value: number }).value)
    .map((each) => (isPerGram ? Number((each / 10).toFixed(6)) : each))
  return value({ amount, max: max === amount ? null : max, unit: known })
}

function singlePotency(text: string): [string, string, null, string] {
  const [, number = '', unit = ''] = /^([\d.,e-]+)\s*([a-z%/]*)\.?$/i.exec(text) ?? []
  return [text, number, null, unit]
}

/** Grams for words and fractions without a unit. */
const namedGrams: Readonly<Record<string, number>> = {
  'half gram': 0.5,
  gram: 1,
  'full gram': 1,
  eighth: 3.5,
  '1/8': 3.5,
  '1/8th': 3.5,
  quarter: 7,
  '1/4': 7,
  half: 14,
  '1/2': 14,
  ounce: 28,
  oz: 28,
  'full ounce': 28,
}

export function readWeightUnit(cell: string): Read<WeightUnit | null> {
  if (cell === '' || /^(n\/?a|-|–|none)$/i.test(cell)) return value(null)
  const unit = weightUnitOf(cell)
  return unit ? value(unit) : error('Must be g, oz, mg, ml or piece')
}

/** Whether the text is an amount without a unit, so that another column may state the unit. */
export const isBareAmount = (text: string): boolean => /^(\d[\d.,]*|[.,]\d+|\d+\s*\/\s*\d+)$/.test(text)

/** How the trade weighs an ounce and its fractions. Other amounts remain in ounces: a 12 oz drink has no weight in grams. */
const gramsOfOunces: Readonly<Record<string, number>> = { '0.125': 3.5, '0.25': 7, '0.5': 14, '1': 28 }

/** A pack of several: "2 x 0.5 g", "0.5g x 2", "10pk x 10mg". */
const packs = [
  /^(?<count>\d+)\s*(?:pk|pack|ct)?\s*[x×]\s*(?<each>\d[\d.]*|\.\d+)\s*(?<unit>mg|g)$/i,
  /^(?<each>\d[\d.]*|\.\d+)\s*(?<unit>mg|g)\s*[x×]\s*(?<count>\d+)$/i,
]

/** Parses "3.5g", "1/8 oz" (3.5 g), "HALF_GRAM", "each" (1 piece), "2 x 0.5 g", "10 x 10mg" (10 pieces), "12 fl oz" and "10". */
export function readWeight(cell: string): Read<Amount<WeightUnit>> {
  const text = cell.replaceAll('_', ' ').replace('⅛', '1/8').replace('¼', '1/4').replace('½', '1/2')
  if (text === '' || /^(n\/?a|-|–|none)$/i.test(text)) return value({ amount: null, unit: null })
  if (text.length > maxNumberLength) return error('Must be a weight such as 3.5 g')
  const named = namedGrams[text.toLowerCase().replace(/^(?:1 )?(half|quarter|eighth) ?(?:oz|ounce)$/, '$1')]
  if (named !== undefined) return value({ amount: named, unit: 'g' })
  const single = weightUnitOf(text)
  if (single) return value({ amount: 1, unit: single })
  const { count, each, unit: packed = '' } = packs.map((pack) => pack.exec(text)?.groups).find(Boolean) ?? {}
  if (count !== undefined) {
    return value(
      packed.toLowerCase() === 'g'
        ? { amount: Number((Number(count) * Number(each)).toFixed(6)), unit: 'g' }
        : { amount: Number(count), unit: 'piece' },
    )
  }
  const [, number = '', unit = ''] = /^([\d.,e/-]*[\d.](?:\s*\/\s*\d+)?)[\s-]*([a-z][a-z. ]*)?$/i.exec(text) ?? []
  const known = unit === '' ? null : weightUnitOf(unit)
  if (number === '' || known === undefined) return error('Must be a weight such as 3.5 g')
  const read = readNumber(number)
  if ('error' in read) return read
  const grams = known === 'oz' && !isFluidOunces(unit) ? gramsOfOunces[String(read.value)] : undefined
  return value(grams === undefined ? { amount: read.value, unit: known } : { amount: grams, unit: 'g' })
}

const yes = /^(y|yes|true|t|x|in[ -_]?stock|low([ -_]?stock)?|limited|available|active|enabled|published|visible|on|online|live)$/i
const no =
  /^(n|no|false|f|out([ -_]?of[ -_]?stock)?|sold[ -]?out|oos|unavailable|inactive|disabled|unpublished|draft|archived|deleted|discontinued|off|offline|hidden|none)$/i

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
  if (/^(|n\/?a|-|–|null)$/i.test(cell)) return value({ amount: null, isAvailable: null })
  const wrong = error('Must be a quantity, or yes or no')
  if (cell.length > maxNumberLength) return wrong
  if (yes.test(cell)) return value({ amount: null, isAvailable: true })
  if (no.test(cell)) return value({ amount: null, isAvailable: false })
  const [, sign = '', number = '', unit = ''] = /^(-?)([\d.,e-]*[\d.])\s*([a-z]*)\.?$/i.exec(cell) ?? []
  if (number === '' || !(unit === '' || weightUnitOf(unit))) return wrong
  const read = readNumber(number)
  if ('error' in read) return read
  const amount = sign === '' ? read.value : 0
  return value({ amount, isAvailable: amount > 0 })
}

/** "Indica", "S", "Indica-dominant hybrid". Other words aren't strain types. */
export function readStrainType(cell: string): Read<StrainType | null> {
  const text = cell.toLowerCase()
  if (/hyb|^h$|^(i\s*\/\s*s|s\s*\/\s*i)$|indica.*sativa|sativa.*indica/.test(text)) return value('hybrid')
  return value(/indica|^i(nd)?$/.test(text) ? 'indica' : /sativa|^s(at)?$/.test(text) ? 'sativa' : null)
}

/** Businesses' names for categories; the first match wins, so "Hash Pre-Roll" is not a concentrate. */
const categoryWords: readonly (readonly [RegExp, ProductCategory])[] = [
  [/pre-?\s?roll|joint|blunt/, 'Pre-Rolls'],
  [/accessor|\bgear\b|paper|grinder|\bpipes?\b|glass|apparel|merch|batter(y|ies)|rolling|lighter/, 'Accessories'],
  [/vape|vapor|cart|\bpods?\b|disposable|all-in-one/, 'Vapes'],
  [/seed|clone|plant/, 'Seeds & Clones'],
  [/drink|beverage|soda|seltzer|\bteas?\b|coffee/, 'Drinks'],
  [/tincture|sublingual|\boil drops/, 'Tinctures'],
  [/topical|lotion|balm|salve|\bcreams?\b|patch|\bbath\b/, 'Topicals'],
  [/edible|gumm|chocolate|cookie|cand(y|ies)|capsule|tablet|baked|\bmints?\b|\bchews?\b/, 'Edibles'],
  [
    /concentrate|extract|\bwax\b|shatter|rosin|resin|hash|kief|\bdabs?\b|distillate|b[au]dder|crumble|\bsauce\b|diamond|\brso\b/,
    'Concentrates',
  ],
  [/flower|\bbuds?\b|eighth|smalls|shake|usable (cannabis|marijuana)/, 'Flower'],
]
const byName = new Map(productCategories.map((name) => [name.toLowerCase(), name]))

export function knownCategory(cell: string): ProductCategory | null {
  const text = cell.toLowerCase()
  return byName.get(text) ?? categoryWords.find(([words]) => words.test(text))?.[1] ?? null
}

export const readCategory = (cell: string): Read<ProductCategory | null> => value(cell === '' ? null : (knownCategory(cell) ?? 'Other'))
