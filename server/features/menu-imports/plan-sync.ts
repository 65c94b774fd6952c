import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { maxVariants } from '#contracts/limits.ts'
import { type MenuField, menuFields } from '#contracts/menu-fields.ts'
import {
  checkTogether,
  emptyRow,
  emptyVariant,
  type ItemRow,
  itemColumns,
  type MenuRow,
  type StoredItem,
  type VariantRow,
  variantColumns,
  withoutIdlePeriod,
  withoutPassedSale,
  wordsOf,
} from '#server/features/menus/index.ts'
import type { WordCheck } from '#server/features/screening/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { withGuessedUnits } from './read-row.ts'
import * as read from './read-values.ts'

export type SyncError = SyncIssue & { index: number; id: string | null }

export type SyncPlan = {
  added: MenuRow[]
  changed: { before: StoredItem; after: MenuRow }[]
  /** Items from the point of sale that aren't in its complete menu, and so go out of stock. */
  missing: { before: StoredItem; after: MenuRow }[]
  /** IDs of the items that the menu already contained exactly as sent. */
  confirmed: string[]
  /** Addresses of the pictures of all items that weren't rejected. */
  pictures: string[]
  errors: SyncError[]
  rejectedCount: number
}

type Sync = {
  /** `full_sync`: items from the point of sale that aren't sent again go out of stock. */
  kind: 'full_sync' | 'update'
  items: readonly unknown[]
  menu: readonly StoredItem[]
  refusedIn: WordCheck
  /** How many more items can be added; `message` explains the limit. */
  room: { left: number; message: string }
}

type Entry = { index: number; read: ReadItem }

/** Items processed before yielding to other requests. */
const stretch = 250

/**
 * What a call from a point of sale does to a menu. Items are matched by the point of sale's ID, or, the first time, by a SKU on the
 * menu that equals the ID of a variant sent. The order of the items doesn't matter. A rejected item isn't changed.
 */
export async function planSync({ kind, items, menu, refusedIn, room }: Sync): Promise<SyncPlan> {
  const entries: Entry[] = []
  for (const [index, sent] of items.entries()) {
    entries.push({ index, read: readSyncItem(sent) })
    if (index % stretch === stretch - 1) await yieldToOthers()
  }
  const plan: SyncPlan = { added: [], changed: [], missing: [], confirmed: [], pictures: [], errors: [], rejectedCount: 0 }
  const byId = new Map(menu.flatMap((item) => (item.external_id === null ? [] : [[item.external_id, item]])))
  const bySku = new Map<string, StoredItem>()
  for (const item of menu) {
    if (item.external_id === null) for (const { sku } of item.variants) if (sku !== null) bySku.set(sku, item)
  }
  const met = new Set<string>()
  const find = (id: string, sent: SyncItem | null): StoredItem | undefined => {
    const known = byId.get(id) ?? sent?.variants?.flatMap((variant) => bySku.get(variant.id) ?? []).find((item) => !met.has(item.id))
    if (known) met.add(known.id)
    return known
  }
  const reject = ({ index, read: { id } }: Entry, issues: readonly SyncIssue[]) => {
    plan.rejectedCount++
    for (const issue of issues) plan.errors.push({ index, id, ...issue })
  }

  const { single, repeated } = withoutRepeats(entries, items)
  for (const entry of repeated) {
    if (entry.read.id !== null) find(entry.read.id, entry.read.item)
    reject(entry, [{ field: 'id', message: 'This ID is listed more than once, with different values' }])
  }
  let left = room.left
  for (const [i, entry] of single.entries()) {
    if (i % stretch === stretch - 1) await yieldToOthers()
    const { id, item: sent, issues } = entry.read
    const before = id === null ? undefined : find(id, sent)
    if (!sent) {
      reject(entry, issues)
      continue
    }
    if (!before && sent.isActive === false) continue
    const after = merged(before, sent, kind)
    const wrong = before || left > 0 ? issuesOf(before, after, sent, refusedIn) : [{ field: null, message: room.message }]
    if (wrong.length > 0) {
      reject(entry, wrong)
      continue
    }
    if (sent.item.picture_url) plan.pictures.push(sent.item.picture_url)
    if (!before) {
      left--
      plan.added.push(after)
      continue
    }
    if (isSame(before, after)) plan.confirmed.push(before.id)
    else plan.changed.push({ before, after })
  }
  if (kind === 'full_sync') {
    for (const before of menu) {
      const isSynced = before.external_id !== null
      if (isSynced && !met.has(before.id) && before.variants.some(({ is_available }) => is_available)) {
        plan.missing.push({ before, after: outOfStock(before) })
      }
    }
  }
  plan.errors.sort((one, other) => one.index - other.index)
  return plan
}

/** Sorted by ID. Exact repeats are merged; other entries that share an ID are all rejected, because it's unclear which one is right. */
function withoutRepeats(entries: readonly Entry[], items: readonly unknown[]): { single: Entry[]; repeated: Entry[] } {
  const byId = Map.groupBy(entries, ({ read, index }) => read.id ?? index)
  const single: Entry[] = []
  const repeated: Entry[] = []
  for (const group of byId.values()) {
    const [first] = group as [Entry]
    const isOne = group.length === 1 || new Set(group.map(({ index }) => JSON.stringify(items[index]))).size === 1
    if (isOne) single.push(first)
    else repeated.push(...group)
  }
  const keyOf = ({ read: { id } }: Entry) => id ?? ''
  return { single: single.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)), repeated }
}

function merged(before: StoredItem | undefined, sent: SyncItem, kind: Sync['kind']): MenuRow {
  const item = { ...(before ?? emptyRow(newId())), ...withGuessedUnits(sent.item, before) }
  const old = before?.variants ?? []
  const variants = sent.variants?.map(({ id, row }): VariantRow => {
    const known =
      old.find((variant) => variant.external_id === id) ?? old.find((variant) => variant.external_id === null && variant.sku === id)
    const variant = withoutPassedSale({ ...(known ?? emptyVariant(newId())), ...row, external_id: id }, row)
    return row.sale_starts_on || row.sale_ends_on ? variant : withoutIdlePeriod(variant)
  })
  const after = { ...item, external_id: sent.id, variants: variants ?? old }
  if (sent.isActive === false) return outOfStock(after)
  // A complete menu lists only items that are for sale.
  const isForSale = sent.isActive ?? kind === 'full_sync'
  return isForSale && !variants && old.every(({ is_available }) => !is_available) ? backInStock(after) : after
}

/** A variant without pieces stays out of stock. */
const backInStock = (row: MenuRow): MenuRow => ({
  ...row,
  variants: row.variants.map((variant) => ({ ...variant, is_available: variant.stock !== 0 })),
})

const outOfStock = <Row extends MenuRow>(row: Row): Row => ({
  ...row,
  variants: row.variants.map((variant) => ({ ...variant, is_available: false })),
})

function issuesOf(before: StoredItem | undefined, after: MenuRow, sent: SyncItem, refusedIn: WordCheck): SyncIssue[] {
  const issues: SyncIssue[] = []
  if (after.name === '') issues.push({ field: 'name', message: 'Name is required' })
  if (after.variants.length === 0) issues.push({ field: 'variants', message: 'Send at least one variant with a price' })
  const known = new Set(before?.variants.map(({ id }) => id))
  for (const [i, { row }] of (sent.variants ?? []).entries()) {
    const { id } = after.variants[i] as VariantRow
    if (row.price_cents === undefined && !known.has(id)) issues.push({ field: `variants.${i}.price`, message: 'Price is required' })
  }
  // A point of sale doesn't send subscriber prices.
  const found = {
    ...checkTogether(after, { ...(before ?? after), variants: after.variants }),
    ...refusedIn(wordsOf(after), before ? Object.values(wordsOf(before)) : []),
  }
  return [...issues, ...Object.entries(found).map(([field, message]) => ({ field: sentName(field), message }))]
}

const sentNames: Readonly<Record<string, string>> = { category: 'type', weight: 'size', weightUnit: 'unit', stock: 'inventory' }
const sentName = (field: string) => field.replace(/[^.]+$/, (last) => sentNames[last] ?? (/^(thc|cbd)/.test(last) ? 'cannabinoids' : last))

const isSame = (one: MenuRow, other: MenuRow) =>
  itemColumns.every((column) => one[column] === other[column]) &&
  one.variants.length === other.variants.length &&
  one.variants.every((variant, i) => {
    const twin = other.variants[i] as VariantRow
    return variant.id === twin.id && variantColumns.every((column) => variant[column] === twin[column])
  })

type SyncIssue = { field: string | null; message: string }

/** An item from a point of sale, with only the fields that were sent. The others are undefined. */
type SyncItem = { id: string; isActive: boolean | undefined; item: Partial<ItemRow>; variants: SyncVariant[] | undefined }
type SyncVariant = { id: string; row: Partial<VariantRow> }

type ReadItem = { id: string | null; item: SyncItem | null; issues: SyncIssue[] }

const maxIdLength = 120

type Sent = Readonly<Record<string, unknown>>
const isSent = (value: unknown): value is Sent => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A value as it would appear in a cell of a file, because points of sale send numbers as text and text as numbers. Undefined for an object
 * or a list.
 */
function cellOf(value: unknown): string | undefined {
  if (value === null) return ''
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

/** Ignores unknown fields. */
function readSyncItem(sent: unknown): ReadItem {
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
  readField(sent, 'imageUrl', 'imageUrl', issues, read.readPictureUrl, (url) => {
    item.picture_url = url
  })
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

function readSwitch(sent: Sent, prefix: string, issues: SyncIssue[]): boolean | undefined {
  let isActive: boolean | undefined
  readField(sent, 'isActive', `${prefix}isActive`, issues, read.readAvailability, (value) => {
    isActive = value ?? undefined
  })
  return isActive
}

/** THCA counts as THC if there is no THC, as in files. */
const cannabinoidNames = { thc: ['totalthc', 'thc', 'thca'], cbd: ['totalcbd', 'cbd', 'cbda'] } as const

/** The list is complete: if it doesn't mention THC, the item has none. */
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
    // Many systems send 0 or the price itself when there is no sale.
    row.sale_price_cents = cents === 0 || cents === row.price_cents ? null : cents
  })
  for (const [name, column] of periodColumns) {
    readField(sent, name, prefix + name, issues, read.readDate, (day) => {
      row[column] = day
    })
  }
  // A listed variant is for sale unless marked otherwise, even if it was out of stock.
  row.is_available = true
  readField(sent, 'inventory', `${prefix}inventory`, issues, read.readStock, ({ amount, isAvailable }) => {
    row.stock = amount
    row.is_available = isAvailable ?? true
  })
  if (readSwitch(sent, prefix, issues) === false) row.is_available = false
  readField(sent, 'batch', `${prefix}batch`, issues, text('batch'), (batch) => {
    row.batch = batch
  })
  return id === null ? null : { id, row }
}

const periodColumns = [
  ['saleStarts', 'sale_starts_on'],
  ['saleEnds', 'sale_ends_on'],
] as const

/** A unit in the size overrides the unit field. */
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
