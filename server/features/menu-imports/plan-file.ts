import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { maxVariants } from '#contracts/limits.ts'
import type { MenuField } from '#contracts/menu-fields.ts'
import { idsOf } from '#server/db/page-ids.ts'
import {
  checkItem,
  checkVariant,
  emptyRow,
  emptyVariant,
  type ItemRow,
  itemColumns,
  itemWords,
  type StoredItem,
  type VariantRow,
  variantColumns,
  variantWords,
  weightOf,
  withoutIdlePeriod,
  withoutPassedSale,
} from '#server/features/menus/index.ts'
import type { WordCheck } from '#server/features/screening/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { type MenuFile, MenuFileRefused, reasonHeader } from './menu-table.ts'
import { addOffers, errorOf, noOffers, type Plan, type PlannedRow, type PlanOptions, saleErrors, splitByLocation } from './plan.ts'
import { type ReadRow, readRow, withGuessedUnits } from './read-row.ts'
import { noShop, type ShopNames } from './rows-of-shop.ts'
import { type CellError, type Fields, tidyCells } from './tidy-cells.ts'

/** Rows processed before yielding to other requests. */
const stretch = 250

/** @throws MenuFileRefused if no column identifies items */
export async function planFile(
  file: MenuFile,
  fields: Fields,
  menu: readonly StoredItem[],
  refusedIn: WordCheck,
  options: PlanOptions = { keepsRowsApart: false, missingItems: 'leave' },
  names: ShopNames = noShop,
): Promise<Plan> {
  if (!fields.includes('name') && !fields.includes('sku')) {
    throw new MenuFileRefused('Choose the column with the items’ names (or SKUs).')
  }
  const rows: ReadRow[] = []
  for (const [i, row] of tidyCells(file, fields).entries()) {
    rows.push(readRow(row, fields))
    if (i % stretch === stretch - 1) await yieldToOthers()
  }
  const isPart = file.header.includes(reasonHeader)
  const split = splitByLocation(rows, names, { missingItems: options.missingItems, isPart })
  const draft = createPlan(menu, fields, split.base, refusedIn, options)
  for (const [i, row] of split.base.entries()) {
    draft.place(row, split.elsewhere.get(row))
    if (i % stretch === stretch - 1) await yieldToOthers()
  }
  const plan = draft.finish()
  plan.offers = addOffers(plan, split, options.missingItems)
  return plan
}

/** An item to which rows are being added; `accepted` are those rows, in order. */
type Draft = { before: StoredItem | null; item: ItemRow; variants: VariantRow[]; accepted: ReadRow[] }
type Place = { draft: Draft; variant: VariantRow; before: VariantRow | null }
/** `isMerged`: the row repeats another one exactly. */
type Entry = { read: ReadRow; place: Place | null; errors: CellError[]; isMerged?: boolean; inactive?: { variantId: string | null } }
type Known = { item: StoredItem; variant: VariantRow }
/** Variants that a row may match; those before `next` are taken. */
type Shelf = { places: Known[]; next: number }

/**
 * Finds the variant of each row: the one with the same SKU, or else the first with the same name (and brand, category and weight, if the
 * file has them). Each variant matches once, so that a menu may have two items with the same name. A row without a match adds a variant to
 * an item with the same name, brand and category, from the menu or an earlier row, if that item has no variant of this weight; otherwise,
 * it adds an item.
 */
function createPlan(
  menu: readonly StoredItem[],
  fields: Fields,
  rows: readonly ReadRow[],
  refusedIn: WordCheck,
  { keepsRowsApart, missingItems }: PlanOptions,
) {
  const has = (field: MenuField) => fields.includes(field)
  const kindOf = ({ name = '', brand, category }: Partial<ItemRow>, isLoose = false) =>
    JSON.stringify([name.toLowerCase(), has('brand') ? (brand ?? '').toLowerCase() : 0, has('category') && !isLoose ? (category ?? 0) : 0])
  const shelfOf = (kind: string, weight: number | null, unit: VariantRow['weight_unit'] | undefined) =>
    JSON.stringify([kind, has('weight') ? weight : 0, unit === undefined ? 0 : unit])
  /** An item in another category matches only if no row has the item's own name, brand and category. */
  const kindsOfFile = new Set(rows.map(({ item }) => kindOf(item)))

  const bySku = new Map<string, Known>()
  const shelves = new Map<string, Shelf>()
  const looseShelves = new Map<string, Shelf>()
  const draftsOfKind = new Map<string, Draft[]>()
  const drafts = new Map<string, Draft>()
  const idsOfName = new Map<string, string[]>()
  for (const item of menu) {
    const draft: Draft = { before: item, item, variants: [...item.variants], accepted: [] }
    const kind = kindOf(item)
    drafts.set(item.id, draft)
    push(draftsOfKind, kind, draft)
    push(idsOfName, item.name.toLowerCase(), item.id)
    for (const variant of item.variants) {
      if (variant.sku !== null) bySku.set(variant.sku, { item, variant })
      // If the file has SKUs, a different SKU means a different variant, regardless of its name.
      if (has('sku') && variant.sku !== null) continue
      const placeOn = (where: Map<string, Shelf>, ofKind: string) => {
        for (const unit of [variant.weight_unit, undefined]) {
          const key = shelfOf(ofKind, variant.weight, unit)
          const shelf = where.get(key)
          if (shelf) shelf.places.push({ item, variant })
          else where.set(key, { places: [{ item, variant }], next: 0 })
        }
      }
      placeOn(shelves, kind)
      if (has('category') && !kindsOfFile.has(kind)) placeOn(looseShelves, kindOf(item, true))
    }
  }
  const entries: Entry[] = []
  /** The accepted row for each variant, for each SKU, and for each new variant without a SKU. */
  const entryOfVariant = new Map<string, Entry>()
  const entryOfSku = new Map<string, Entry>()
  const entryOfNew = new Map<string, Entry>()
  /** Variants in inactive rows count as missing, even if missing items are left alone. Items in refused rows don't. */
  const inactive = new Set<string>()
  const spared = new Set<string>()

  function takeFrom(shelf: Shelf | undefined): Known | undefined {
    if (!shelf) return undefined
    while (shelf.next < shelf.places.length - 1 && entryOfVariant.has((shelf.places[shelf.next] as Known).variant.id)) shelf.next++
    // If all variants have already matched, the row repeats the last one.
    return shelf.places[shelf.next]
  }

  function findKnown({ item, variant }: ReadRow): Known | undefined {
    const ofSku = variant.sku ? bySku.get(variant.sku) : undefined
    if (ofSku || item.name === undefined) return ofSku
    const { weight = null, weight_unit } = variant
    const find = (unit: VariantRow['weight_unit'] | undefined) =>
      takeFrom(shelves.get(shelfOf(kindOf(item), weight, unit))) ?? takeFrom(looseShelves.get(shelfOf(kindOf(item, true), weight, unit)))
    // Weights of older imports may have no unit.
    return find(weight_unit) ?? (weight !== null && weight_unit != null ? find(null) : undefined)
  }

  /** How far `draftsOfKind` was searched for an item that lacks a weight. */
  const searched = new Map<string, number>()

  /** The item that a row adds a variant to. An item that has a variant without a weight can't get another one. */
  function draftFor({ item, variant: { weight = null, weight_unit = null } }: ReadRow): Draft | undefined {
    if (keepsRowsApart || weight === null || item.name === undefined) return undefined
    const list = draftsOfKind.get(kindOf(item)) ?? []
    const key = shelfOf(kindOf(item), weight, weight_unit)
    const lacksIt = ({ variants }: Draft) =>
      variants.every((other) => other.weight !== null && weightOf(other) !== weightOf({ weight, weight_unit }))
    let at = searched.get(key) ?? 0
    while (at < list.length && !lacksIt(list[at] as Draft)) at++
    searched.set(key, at)
    return list[at]
  }

  const newKeyOf = ({ item, variant }: ReadRow) => shelfOf(kindOf(item), variant.weight ?? null, variant.weight_unit)

  /**
   * `main`: the main location's rejected row, or null if there is none. Given only if the row is for another location, and so doesn't
   * change the prices and stock of a variant that exists.
   */
  function place(read: ReadRow, main?: ReadRow | null): void {
    if (!read.isActive) {
      const variantId = findKnown(read)?.variant.id ?? null
      if (variantId !== null) inactive.add(variantId)
      entries.push({ read, place: null, errors: [], inactive: { variantId } })
      return
    }
    if (read.errors.length > 0) {
      refuse(read, read.errors)
      return
    }
    if (/^(grand |sub)?totals?:?$/i.test(read.item.name ?? '')) {
      refuse(read, [{ field: 'name', message: 'This looks like a total of the other rows' }])
      return
    }
    const { sku } = read.variant
    const known = findKnown(read)
    const earlier =
      (sku ? entryOfSku.get(sku) : undefined) ??
      (known ? entryOfVariant.get(known.variant.id) : sku ? undefined : entryOfNew.get(newKeyOf(read)))
    if (earlier) {
      repeat(read, earlier)
      return
    }

    const draft = (known ? drafts.get(known.item.id) : draftFor(read)) ?? newDraft()
    const before = known?.variant ?? null
    const item = withRow(draft, read)
    const keepsOwn = main !== undefined && before !== null
    const stated = keepsOwn ? withoutPrices(read.variant) : read.variant
    // Exports may still state the dates of a sale that is over and no longer has a price.
    const filled = withoutIdlePeriod({ ...(before ?? emptyVariant(newId())), ...stated })
    const variant = withoutPassedSale(filled, stated)
    const wrong = issuesOf(read, { draft, variant, before }, item)
    if (keepsOwn) wrong.push(...saleErrors({ ...variant, sale_price_cents: null, ...read.variant }))
    if (main && !before) wrong.push(errorOf(main))
    if (item.name === '') wrong.push({ field: 'name', message: 'Name is required' })
    if (!before && read.variant.price_cents === undefined) wrong.push({ field: 'price', message: 'Price is required' })
    if (!before && draft.variants.length >= maxVariants) {
      wrong.push({ field: 'weight', message: `An item can have up to ${maxVariants} sizes` })
    }
    if (wrong.length > 0) {
      refuse(read, wrong)
      return
    }

    if (variant !== filled)
      read.notes.push({ field: 'salePrice', message: 'The sale’s price isn’t below the new price. We ended the sale.' })
    draft.item = item
    draft.accepted.push(read)
    if (before) draft.variants = draft.variants.map((each) => (each.id === variant.id ? variant : each))
    else draft.variants.push(variant)
    if (!drafts.has(item.id)) {
      drafts.set(item.id, draft)
      push(draftsOfKind, kindOf(item), draft)
    }
    const entry: Entry = { read, place: { draft, variant, before }, errors: [] }
    entries.push(entry)
    entryOfVariant.set(variant.id, entry)
    if (sku) entryOfSku.set(sku, entry)
    else if (!before) entryOfNew.set(newKeyOf(read), entry)
  }

  function issuesOf(read: ReadRow, { draft, before, variant }: Place, item: ItemRow): CellError[] {
    const words = { ...itemWords(item), ...variantWords(variant) }
    const known = [...Object.values(itemWords(draft.item)), ...(before ? Object.values(variantWords(before)) : [])]
    const stored = read.variant.member_price_cents === undefined ? variant : before
    const issues = { ...checkItem(item, draft.before), ...checkVariant(variant, stored), ...refusedIn(words, known) }
    return Object.entries(issues).map(([field, message]) => ({ field: field as MenuField, message }))
  }

  function refuse(read: ReadRow, errors: CellError[]): void {
    entries.push({ read, place: null, errors })
    const { sku = '', name = '' } = read.cells
    const known = bySku.get(sku) ?? findKnown(read)
    if (known) spared.add(known.item.id)
    // Without a match, perhaps because its weight is wrong, spare every item with this name.
    else for (const id of idsOfName.get(name.toLowerCase()) ?? []) spared.add(id)
  }

  function repeat(read: ReadRow, { read: earlier, place }: Entry): void {
    if (place && JSON.stringify(read.cells) === JSON.stringify(earlier.cells)) entries.push({ read, place, errors: [], isMerged: true })
    else if (read.variant.sku && read.variant.sku === earlier.variant.sku) {
      refuse(read, [{ field: 'sku', message: `Row ${earlier.row} has the same SKU` }])
    } else refuse(read, [{ field: null, message: `Row ${earlier.row} is the same item` }])
  }

  function finish(): Plan {
    for (const draft of drafts.values()) if (draft.accepted.length > 0) settleWeights(draft)
    const plan: Plan = { rows: [], added: [], changed: [], confirmed: [], missing: [], removed: [], gone: [], menu, offers: noOffers() }
    for (const draft of drafts.values()) {
      const { before, item, accepted } = draft
      if (!before) {
        if (accepted.length > 0) plan.added.push({ ...item, variants: draft.variants })
        continue
      }
      const gone = goneFrom(draft, before)
      plan.gone.push(...gone)
      const variants = withoutGone(draft, gone)
      const after = { ...item, variants }
      if (variants.length === 0) plan.removed.push(before.id)
      else if (!isSameItem(before, item) || !isSameList(before.variants, variants)) {
        plan[accepted.length > 0 ? 'changed' : 'missing'].push({ before, after })
      } else if (accepted.length > 0) plan.confirmed.push(before.id)
    }
    plan.rows = entries.map((entry) => ({ read: entry.read, placed: toPlaced(entry) }))
    return plan
  }

  /** The variants that the file lists as inactive and, unless missing items are left alone, those that it omits. */
  function goneFrom({ variants }: Draft, before: StoredItem): Set<string> {
    const known = new Set(idsOf(before.variants))
    const isGone = (id: string) =>
      known.has(id) && !entryOfVariant.has(id) && (inactive.has(id) || (missingItems !== 'leave' && !spared.has(before.id)))
    return new Set(idsOf(variants).filter(isGone))
  }

  /** Returns the item's variants. Those that are gone are out of stock or removed. */
  function withoutGone({ variants }: Draft, gone: ReadonlySet<string>): VariantRow[] {
    if (missingItems === 'remove') return variants.filter(({ id }) => !gone.has(id))
    return variants.map((variant) => (variant.is_available && gone.has(variant.id) ? { ...variant, is_available: false } : variant))
  }

  /** Rows may swap weights. If that gives two variants the same weight, the later row is refused. */
  function settleWeights(draft: Draft): void {
    for (;;) {
      const byWeight = Map.groupBy(draft.variants, weightOf)
      const twins = [...byWeight.values()].find((variants) => variants.length > 1)
      const [last] = (twins ?? []).flatMap(({ id }) => entryOfVariant.get(id) ?? []).sort((one, other) => other.read.row - one.read.row)
      if (!last?.place) return
      const { variant, before } = last.place
      draft.variants = draft.variants.flatMap((each) => (each.id !== variant.id ? [each] : before ? [before] : []))
      entryOfVariant.delete(variant.id)
      last.place = null
      last.errors = [{ field: 'weight', message: 'Another size of this item has this weight' }]
      revertRow(draft, last.read)
    }
  }

  return { place, finish }
}

function withoutPrices(stated: Partial<VariantRow>): Partial<VariantRow> {
  const { price_cents, sale_price_cents, sale_starts_on, sale_ends_on, member_price_cents, stock, is_available, ...others } = stated
  return others
}

const newDraft = (): Draft => ({ before: null, item: emptyRow(newId()), variants: [], accepted: [] })

function revertRow(draft: Draft, refused: ReadRow): void {
  const others = draft.accepted.filter((read) => read !== refused)
  draft.item = draft.before ?? emptyRow(draft.item.id)
  draft.accepted = []
  for (const read of others) {
    draft.item = withRow(draft, read)
    draft.accepted.push(read)
  }
}

/** Adds a row's fields to the item: the first row's fields win, and later rows fill in empty ones. */
function withRow({ before, item, accepted }: Draft, read: ReadRow): ItemRow {
  const stated = withGuessedUnits(read.item, before)
  if (accepted.length === 0) return { ...item, ...stated }
  const missing = Object.entries(stated).filter(([column]) => item[column as keyof ItemRow] === null)
  return { ...item, ...Object.fromEntries(missing) }
}

function toPlaced({ read, place, errors, isMerged = false, inactive }: Entry): PlannedRow {
  if (inactive) return { effect: 'inactive', errors: [], ...inactive }
  if (!place) return { effect: 'refused', errors }
  const { draft, variant, before } = place
  const { item, accepted } = draft
  if (isMerged) return { effect: 'same', item, variant, errors: [] }
  const isFirst = accepted[0] === read
  const isChanged = (before && !isSameVariant(before, variant)) || (isFirst && draft.before !== null && !isSameItem(draft.before, item))
  const effect = before ? (isChanged ? 'change' : 'same') : isFirst && draft.before === null ? 'add' : 'add_variant'
  return { effect, item, variant, errors: [] }
}

const isSameItem = (one: ItemRow, other: ItemRow) => itemColumns.every((column) => one[column] === other[column])
const isSameVariant = (one: VariantRow, other: VariantRow) => variantColumns.every((column) => one[column] === other[column])
const isSameList = (ones: readonly VariantRow[], others: readonly VariantRow[]) =>
  ones.length === others.length && ones.every((one, i) => isSameVariant(one, others[i] as VariantRow))

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
