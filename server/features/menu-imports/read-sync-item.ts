import { maxVariants } from '#contracts/limits.ts'
import { type MenuField, menuFields } from '#contracts/menu-fields.ts'
import type { ItemRow, VariantRow } from '#server/features/menus/index.ts'
import * as read from './read-values.ts'

export type SyncIssue = { field: string | null; message: string }

/** An item of a point of sale: only the fields that it sent. `variants` is undefined if it sent none. */
export type SyncItem = { id: string; isActive: boolean; item: Partial<ItemRow>; variants: SyncVariant[] | undefined }
export type SyncVariant = { id: string; row: Partial<VariantRow> }

export type ReadItem = { id: string | null; item: SyncItem | null; issues: SyncIssue[] }

const maxIdLength = 120

type Sent = Readonly<Record<string, unknown>>
const isSent = (value: unknown): value is Sent => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as the cell of a file, because points of sale send numbers as text and text as numbers. Undefined if it isn't one. */
function cellOf(value: unknown): string | undefined {
  if (value === null) return ''
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

/** Reads one item. Unknown fields are ignored. */
export function readSyncItem(sent: unknown): ReadItem {
  if (!isSent(sent)) return { id: null, item: null, issues: [{ field: null, message: 'Must be an object' }] }
  const issues: SyncIssue[] = []
  const id = readId(sent, '', issues)
  const item: Partial<ItemRow> = {}
  const set = (name: keyof Sent & string, key: MenuField, column: keyof ItemRow, parse: (cell: string) => read.Read<unknown>) =>
    readField(sent, name, name, issues, parse, (value) => {
      if (value !== null || !menuFields[key].isRequired) Object.assign(item, { [column]: value })
      else issues.push({ field: name, message: 'Name is required' })
    })
  set('name', 'name', 'name', text('name'))
  set('type', 'category', 'category', read.readCategory)
  set('brand', 'brand', 'brand', text('brand'))
  set('strain', 'strain', 'strain', text('strain'))
  set('strainType', 'strainType', 'strain_type', read.readStrainType)
  set('description', 'description', 'description', text('description'))
  readCannabinoids(sent, item, issues)
  const isActive = readSwitch(sent, '', issues)
  const variants = readVariants(sent, issues)
  return { id, item: id === null || issues.length > 0 ? null : { id, isActive, item, variants }, issues }
}

type TextField = { [Key in MenuField]: (typeof menuFields)[Key]['kind'] extends 'text' ? Key : never }[MenuField] | 'name'
const text = (field: TextField) => (cell: string) => read.readText(cell, menuFields[field].maxLength)

function readField<Value>(
  sent: Sent,
  name: string,
  field: string,
  issues: SyncIssue[],
  parse: (cell: string) => read.Read<Value>,
  use: (value: Value) => void,
): void {
  if (sent[name] === undefined) return
  const cell = cellOf(sent[name])
  const found = cell === undefined ? { error: 'Must be text or a number' } : parse(cell)
  if ('error' in found) issues.push({ field, message: found.error })
  else use(found.value)
}

function readId(sent: Sent, prefix: string, issues: SyncIssue[]): string | null {
  const { id } = sent
  const cell = typeof id === 'string' || typeof id === 'number' ? cellOf(id) : ''
  const found = cell === undefined || cell === '' ? { error: 'Send the ID from your point of sale' } : read.readText(cell, maxIdLength)
  if ('error' in found) issues.push({ field: `${prefix}id`, message: found.error })
  return 'error' in found ? null : found.value
}

function readSwitch(sent: Sent, prefix: string, issues: SyncIssue[]): boolean {
  let isActive = true
  readField(sent, 'isActive', `${prefix}isActive`, issues, read.readAvailability, (value) => {
    isActive = value ?? true
  })
  return isActive
}

/** THCA counts as THC if there is no THC, as in files. */
const cannabinoidNames = { thc: ['totalthc', 'thc', 'thca'], cbd: ['totalcbd', 'cbd', 'cbda'] } as const

/** The list is complete: without THC in it, the item has none. */
function readCannabinoids(sent: Sent, item: Partial<ItemRow>, issues: SyncIssue[]): void {
  const { cannabinoids: list } = sent
  if (list === undefined) return
  if (list !== null && !Array.isArray(list)) {
    issues.push({ field: 'cannabinoids', message: 'Must be a list' })
    return
  }
  const known = new Map<string, { each: Sent; i: number }>()
  for (const [i, each] of (list ?? []).entries()) {
    if (isSent(each))
      known.set(
        String(each.name ?? '')
          .toLowerCase()
          .replace(/[^a-z]/g, ''),
        { each, i },
      )
  }
  for (const field of ['thc', 'cbd'] as const) {
    const found = cannabinoidNames[field].flatMap((name) => known.get(name) ?? [])[0]
    const potency = found ? readAmounts(found.each, `cannabinoids.${found.i}`, issues) : { amount: null, max: null, unit: null }
    if (potency) Object.assign(item, { [field]: potency.amount, [`${field}_max`]: potency.max, [`${field}_unit`]: potency.unit })
  }
}

function readAmounts(sent: Sent, field: string, issues: SyncIssue[]): read.Potency | null {
  const [min = '', max = '', unit = ''] = [sent.min, sent.max, sent.unit].map((value) => cellOf(value ?? null))
  const isRange = min !== '' && max !== '' && min !== max
  const word = unit.toLowerCase().replace(/^percentage$/, '%')
  const found = read.readPotency(isRange ? `${min}-${max}${word}` : `${min || max}${min || max ? word : ''}`)
  if ('error' in found) issues.push({ field, message: found.error })
  return 'error' in found ? null : found.value
}

function readVariants(sent: Sent, issues: SyncIssue[]): SyncVariant[] | undefined {
  const { variants: list } = sent
  if (list === undefined || list === null) return undefined
  if (!Array.isArray(list) || list.length === 0 || list.length > maxVariants) {
    issues.push({ field: 'variants', message: `Must be a list of 1 to ${maxVariants} variants` })
    return undefined
  }
  const variants = list.flatMap((each: unknown, i) => readVariant(each, i, issues) ?? [])
  const ids = variants.map(({ id }) => id)
  for (const [i, id] of ids.entries()) {
    if (ids.indexOf(id) !== i) issues.push({ field: `variants.${i}.id`, message: 'Another variant has this ID' })
  }
  return variants
}

function readVariant(sent: unknown, index: number, issues: SyncIssue[]): SyncVariant | null {
  const prefix = `variants.${index}.`
  if (!isSent(sent)) {
    issues.push({ field: `variants.${index}`, message: 'Must be an object' })
    return null
  }
  const id = readId(sent, prefix, issues)
  const row: Partial<VariantRow> = {}
  readSize(sent, prefix, row, issues)
  readField(sent, 'price', `${prefix}price`, issues, read.readPrice, (cents) => {
    if (cents === null) issues.push({ field: `${prefix}price`, message: 'Price is required' })
    else row.price_cents = cents
  })
  readField(sent, 'salePrice', `${prefix}salePrice`, issues, read.readPrice, (cents) => {
    // Many systems send the price itself when there is no sale.
    row.sale_price_cents = cents === row.price_cents ? null : cents
  })
  // What is listed is for sale unless it says otherwise, also if it was out of stock.
  row.is_available = true
  readField(sent, 'inventory', `${prefix}inventory`, issues, read.readStock, ({ amount, isAvailable }) => {
    row.stock = amount
    row.is_available = isAvailable ?? true
  })
  if (!readSwitch(sent, prefix, issues)) row.is_available = false
  readField(sent, 'batch', `${prefix}batch`, issues, text('batch'), (batch) => {
    row.batch = batch
  })
  return id === null ? null : { id, row }
}

/** A unit inside the size wins over the unit's own field. */
function readSize(sent: Sent, prefix: string, row: Partial<VariantRow>, issues: SyncIssue[]): void {
  const unit = cellOf(sent.unit ?? null) ?? ''
  readField(
    sent,
    'size',
    `${prefix}size`,
    issues,
    (size) => read.readWeight(size === '' || unit === '' || /[a-z]/i.test(size) ? size : `${size} ${unit}`),
    ({ amount, unit: weightUnit }) => Object.assign(row, { weight: amount, weight_unit: weightUnit }),
  )
}
