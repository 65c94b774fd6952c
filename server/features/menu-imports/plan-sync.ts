import { setImmediate as yieldToOthers } from 'node:timers/promises'
import {
  checkTogether,
  emptyRow,
  emptyVariant,
  itemColumns,
  type MenuRow,
  type StoredItem,
  type VariantRow,
  variantColumns,
  wordsOf,
} from '#server/features/menus/index.ts'
import type { WordCheck } from '#server/features/screening/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { withGuessedUnits } from './read-row.ts'
import { type ReadItem, readSyncItem, type SyncIssue, type SyncItem } from './read-sync-item.ts'

export type SyncError = SyncIssue & { index: number; id: string | null }

export type SyncPlan = {
  added: MenuRow[]
  changed: { before: StoredItem; after: MenuRow }[]
  /** Came from the point of sale, aren't in its complete menu, and are now out of stock. */
  missing: { before: StoredItem; after: MenuRow }[]
  /** IDs of the items that were on the menu as sent. */
  confirmed: string[]
  errors: SyncError[]
  rejectedCount: number
}

type Sync = {
  /** `full_sync`: items that came from the point of sale and aren't sent go out of stock. */
  kind: 'full_sync' | 'update'
  items: readonly unknown[]
  menu: readonly StoredItem[]
  refusedIn: WordCheck
  /** How many items can be added, and why no more. */
  room: { left: number; message: string }
}

type Entry = { index: number; read: ReadItem }

/** Items processed before yielding to other requests. */
const stretch = 250

/**
 * What a call from a point of sale does to a menu. Items are matched by the point of sale's ID, and the first time by an SKU that equals the
 * ID of a variant. The order of the items doesn't matter. A rejected item stays as it is.
 */
export async function planSync({ kind, items, menu, refusedIn, room }: Sync): Promise<SyncPlan> {
  const entries: Entry[] = []
  for (const [index, sent] of items.entries()) {
    entries.push({ index, read: readSyncItem(sent) })
    if (index % stretch === stretch - 1) await yieldToOthers()
  }
  const plan: SyncPlan = { added: [], changed: [], missing: [], confirmed: [], errors: [], rejectedCount: 0 }
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
    if (!before && !sent.isActive) continue
    const after = merged(before, sent)
    const wrong = before || left > 0 ? issuesOf(before, after, sent, refusedIn) : [{ field: null, message: room.message }]
    if (wrong.length > 0) {
      reject(entry, wrong)
      continue
    }
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

/** In the order of their IDs. Exact repeats are merged; all of the others with one ID are wrong, because none can be preferred. */
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

function merged(before: StoredItem | undefined, sent: SyncItem): MenuRow {
  const item = before ? { ...before, ...sent.item } : { ...emptyRow(newId()), ...withGuessedUnits(sent.item) }
  const old = before?.variants ?? []
  const variants = sent.variants?.map(({ id, row }): VariantRow => {
    const known =
      old.find((variant) => variant.external_id === id) ?? old.find((variant) => variant.external_id === null && variant.sku === id)
    return { ...(known ?? emptyVariant(newId())), ...row, external_id: id }
  })
  const after = { ...item, external_id: sent.id, variants: variants ?? old }
  return sent.isActive ? after : outOfStock(after)
}

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
  const found = { ...checkTogether(after), ...refusedIn(wordsOf(after), before ? Object.values(wordsOf(before)) : []) }
  return [...issues, ...Object.entries(found).map(([field, message]) => ({ field: sentName(field), message }))]
}

/** Fields of the menu by their names in the call. */
const sentNames: Readonly<Record<string, string>> = { category: 'type', weight: 'size', weightUnit: 'unit', stock: 'inventory' }
const sentName = (field: string) => field.replace(/[^.]+$/, (last) => sentNames[last] ?? (/^(thc|cbd)/.test(last) ? 'cannabinoids' : last))

const isSame = (one: MenuRow, other: MenuRow) =>
  itemColumns.every((column) => one[column] === other[column]) &&
  one.variants.length === other.variants.length &&
  one.variants.every((variant, i) => {
    const twin = other.variants[i] as VariantRow
    return variant.id === twin.id && variantColumns.every((column) => variant[column] === twin[column])
  })
