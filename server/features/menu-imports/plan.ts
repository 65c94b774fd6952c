import { sql } from 'kysely'
import type { MissingItems } from '#contracts/menu-imports.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { locationsForOffers } from '#server/features/locations/index.ts'
import { checkVariant, emptyVariant, type ItemRow, type MenuRow, type StoredItem, type VariantRow } from '#server/features/menus/index.ts'
import type { ReadRow } from './read-row.ts'
import { keyOf, type ShopNames } from './rows-of-shop.ts'
import type { CellError } from './tidy-cells.ts'

/** A row's effect. `item` and `variant` are what will be stored. */
export type PlannedRow =
  | { effect: 'add' | 'add_variant' | 'change' | 'same'; item: ItemRow; variant: VariantRow; errors: [] }
  | { effect: 'refused'; errors: CellError[] }
  | { effect: 'inactive'; errors: []; variantId: string | null }

type AcceptedRow = Extract<PlannedRow, { item: ItemRow }>
export const isAccepted = (placed: PlannedRow): placed is AcceptedRow => 'item' in placed

export type Plan = {
  rows: { read: ReadRow; placed: PlannedRow }[]
  added: MenuRow[]
  changed: { before: StoredItem; after: MenuRow }[]
  /** IDs of the items that the file and the menu agree on. */
  confirmed: string[]
  /** Items that the file omits or lists as inactive, which go out of stock. */
  missing: { before: StoredItem; after: MenuRow }[]
  removed: string[]
  /** IDs of the variants that the file omits or lists as inactive. */
  gone: string[]
  menu: readonly StoredItem[]
  offers: LocationOffers
}

export type PlanOptions = {
  /** Makes each row an item, even if several differ only in weight. */
  keepsRowsApart: boolean
  missingItems: MissingItems
}

/** A row of `product_offers`: where a location differs from the variant. */
type Offer = {
  variant_id: string
  location_id: string
  is_offered: boolean
  price_cents: number | null
  sale_price_cents: number | null
  is_available: boolean | null
}

/**
 * The offers at `places`; other places keep theirs. A location without an offer has the variant's own price and availability. `soldOut`
 * maps each variant that is gone to the locations that keep their price for it but don't have it in stock.
 */
export type LocationOffers = {
  places: { variantId: string; locationId: string }[]
  offers: Offer[]
  soldOut: Map<string, readonly string[]>
  rows: { variantId: string; placed: AcceptedRow }[]
}

export const noOffers = (): LocationOffers => ({ places: [], offers: [], soldOut: new Map(), rows: [] })

/**
 * `base`: one row for each variant. `others`: the same variant at other locations. `elsewhere`: base rows of other locations, whose prices
 * don't apply to an existing variant, each with the main location's rejected row, if any.
 */
type SplitRows = {
  base: ReadRow[]
  others: { row: ReadRow; base: ReadRow }[]
  elsewhere: ReadonlyMap<ReadRow, ReadRow | null>
  placeOf: ReadonlyMap<ReadRow, string>
}

/**
 * If a file names several locations of the business, a variant has a row for each. The main location's row describes the variant, or else
 * the first published row without errors. In a file that names fewer than two locations, every row is a base row, unless it `isPart` of
 * such a file.
 */
export function splitByLocation(
  rows: readonly ReadRow[],
  { locations }: ShopNames,
  { missingItems, isPart }: { missingItems: MissingItems; isPart: boolean },
): SplitRows {
  const placeOf = new Map<ReadRow, string>()
  for (const row of rows) {
    const place = locations.byKey.get(keyOf(row.cells.shop ?? ''))
    if (place !== undefined) placeOf.set(row, place)
  }
  const isMain = (row: ReadRow) => placeOf.get(row) === locations.main
  const base: ReadRow[] = []
  const others: SplitRows['others'] = []
  const elsewhere = new Map<ReadRow, ReadRow | null>()
  if (new Set(placeOf.values()).size < (isPart ? 1 : 2)) return { base: [...rows], others, elsewhere, placeOf: new Map() }
  for (const same of Map.groupBy(rows, identityOf).values()) {
    const good = same.filter((row) => row.isActive && !isWrong(row))
    const main = same.filter(isMain)
    const first = good.find(isMain) ?? good[0] ?? same.find(isWrong) ?? (same[0] as ReadRow)
    base.push(first)
    const rejected = main.find(isWrong)
    const isUnnamed = main.length === 0 && (isPart || missingItems === 'leave')
    if (placeOf.has(first) && !isMain(first) && (rejected || isUnnamed)) elsewhere.set(first, rejected ?? null)
    const seen = new Set([placeOf.get(first)])
    for (const row of same) {
      if (row === first) continue
      const place = placeOf.get(row)
      // A second row for the same location is a duplicate, which the plan merges or rejects.
      if (place === undefined || seen.has(place)) base.push(row)
      else others.push({ row, base: first })
      seen.add(place)
    }
  }
  base.sort((one, other) => one.row - other.row)
  return { base, others, elsewhere, placeOf }
}

/** Inactive rows need no valid cells. */
const isWrong = ({ isActive, errors }: ReadRow) => isActive && errors.length > 0

function identityOf({ cells }: ReadRow): string {
  const { sku, name = '', brand = '', category = '', weight = '', weightUnit = '' } = cells
  return JSON.stringify(sku ? [sku] : [name, brand, category, weight, weightUnit].map((cell) => cell.toLowerCase()))
}

/** Adds the rows of other locations to a plan of the base rows, with the offers they result in. */
export function addOffers(plan: Plan, { others, elsewhere, placeOf }: SplitRows, missingItems: MissingItems): LocationOffers {
  const locations = [...new Set(placeOf.values())].sort()
  const result = noOffers()
  if (locations.length === 0) return result
  const rowsOf = Map.groupBy(others, ({ base }) => base)
  const gone = new Set(missingItems === 'remove' ? [] : plan.gone)
  if (missingItems !== 'leave') for (const id of gone) result.soldOut.set(id, locations)
  const done = new Set<string>()
  for (const entry of [...plan.rows]) {
    const { read, placed } = entry
    const rows = (rowsOf.get(read) ?? []).map(({ row }) => row)
    if (!isAccepted(placed)) {
      for (const row of rows) plan.rows.push({ read: row, placed: withoutBase(row, entry) })
      const inactive = placed.effect === 'inactive' ? placed.variantId : null
      if (inactive !== null && gone.has(inactive) && missingItems === 'leave') {
        const named = [read, ...rows].flatMap((row) => placeOf.get(row) ?? [])
        result.soldOut.set(inactive, [...(result.soldOut.get(inactive) ?? []), ...named])
      }
      continue
    }
    const { item, variant } = placed
    // A repeated row changes nothing.
    if (done.has(variant.id)) continue
    done.add(variant.id)
    const isNew = placed.effect === 'add' || placed.effect === 'add_variant'
    const keepsOwn = !isNew && elsewhere.has(read)
    const settle = (locationId: string, offer: Offer | null) => {
      result.places.push({ variantId: variant.id, locationId })
      if (offer) result.offers.push(offer)
    }
    // `moveReoffered` determines whether the row changes anything.
    const show = (own: VariantRow, effect: AcceptedRow['effect'] = isNew ? 'add' : 'same'): AcceptedRow => {
      const shown: AcceptedRow = { effect, item, variant: { ...variant, ...pricesOf(own) }, errors: [] }
      result.rows.push({ variantId: variant.id, placed: shown })
      return shown
    }
    const home = placeOf.get(read)
    const seen = new Set([home])
    if (home !== undefined) {
      const own = ownOf(read, variant)
      settle(home, keepsOwn ? offerOf(variant, own, home, read) : null)
      if (keepsOwn) entry.placed = show(own, placed.effect)
    }
    for (const row of rows) {
      const place = placeOf.get(row) as string
      const own = ownOf(row, variant)
      const errors = row.isActive ? [...row.errors, ...saleErrors(own)] : []
      seen.add(place)
      if (errors.length > 0) plan.rows.push({ read: row, placed: { effect: 'refused', errors } })
      else {
        settle(place, row.isActive ? offerOf(variant, own, place, keepsOwn && row) : absent(variant.id, place, missingItems))
        plan.rows.push({ read: row, placed: show(own) })
      }
    }
    if (missingItems === 'leave') continue
    for (const place of locations) if (!seen.has(place)) settle(place, absent(variant.id, place, missingItems))
  }
  return result
}

/** The effect of a location's row if the variant's own row wasn't accepted. */
function withoutBase(row: ReadRow, { read, placed }: Plan['rows'][number]): PlannedRow {
  if (placed.effect === 'inactive') return placed
  return { effect: 'refused', errors: isWrong(row) ? row.errors : [errorOf(read)] }
}

/** For a row that can't be imported without another one. */
export const errorOf = ({ row }: ReadRow): CellError => ({ field: null, message: `Row ${row} of this item has an error` })

/** The variant at a row's location. */
const ownOf = ({ variant: stated }: ReadRow, { price_cents }: VariantRow): VariantRow => ({ ...emptyVariant(''), price_cents, ...stated })

/** A location has no subscriber price and no sale period of its own. */
export const saleErrors = (own: VariantRow): CellError[] =>
  Object.values(checkVariant({ ...own, member_price_cents: null, sale_starts_on: null, sale_ends_on: null })).map((message) => ({
    field: 'salePrice',
    message,
  }))

const pricesOf = ({ price_cents, sale_price_cents, stock, is_available }: VariantRow) => ({
  ...{ price_cents, sale_price_cents, stock, is_available },
})

const isInStock = ({ is_available, stock }: VariantRow) => is_available && stock !== 0

/**
 * Null if the location doesn't differ. A location's price replaces both prices. `pinned`: the location keeps what this row states even if
 * the variant, which the file leaves as it is, changes later.
 */
function offerOf(variant: VariantRow, own: VariantRow, locationId: string, pinned: ReadRow | false): Offer | null {
  const endsSale = own.sale_price_cents === null && variant.sale_price_cents !== null
  const isPriced = pinned && pinned.variant.price_cents !== undefined
  const isCounted = pinned && (pinned.variant.is_available ?? pinned.variant.stock) !== undefined
  const price_cents = isPriced || own.price_cents !== variant.price_cents || endsSale ? own.price_cents : null
  const sale_price_cents = price_cents === null && own.sale_price_cents === variant.sale_price_cents ? null : own.sale_price_cents
  const is_available = !isCounted && isInStock(own) === isInStock(variant) ? null : isInStock(own)
  if (price_cents === null && sale_price_cents === null && is_available === null) return null
  return { variant_id: variant.id, location_id: locationId, is_offered: true, price_cents, sale_price_cents, is_available }
}

const absent = (variantId: string, locationId: string, missingItems: MissingItems): Offer => ({
  ...{ variant_id: variantId, location_id: locationId, is_offered: missingItems !== 'remove' },
  ...{ price_cents: null, sale_price_cents: null, is_available: missingItems === 'remove' ? null : false },
})

/**
 * Treats confirmed items as changed if their offers differ from those stored. Treats items as missing if they were in stock only at a
 * location where they are gone. This way, both are saved for undo.
 */
export async function moveReoffered(db: Db, plan: Plan, { places, offers, soldOut, rows }: LocationOffers): Promise<void> {
  if (places.length === 0 && soldOut.size === 0) return
  const closed = await endOffers(db, soldOut)
  places.push(...closed.places)
  offers.push(...closed.offers)
  const placesOf = Map.groupBy(places, ({ variantId }) => variantId)
  const settled = new Map([...placesOf].map(([id, list]) => [id, new Set(list.map(({ locationId }) => locationId))]))
  const stored = await db
    .selectFrom('product_offers')
    .select(['variant_id', 'location_id', 'is_offered', 'price_cents', 'sale_price_cents', 'is_available'])
    .where(sql<boolean>`variant_id = any(${[...settled.keys()]}::uuid[])`)
    .execute()
  const textOf = (each: Offer) =>
    JSON.stringify([each.location_id, each.is_offered, each.price_cents, each.sale_price_cents, each.is_available])
  const byVariant = (list: readonly Offer[]) => Map.groupBy(list, (each) => each.variant_id)
  const before = byVariant(stored.filter((each) => settled.get(each.variant_id)?.has(each.location_id)))
  const after = byVariant(offers)
  const differs = (id: string) => {
    const [one, other] = [before, after].map((of) => (of.get(id) ?? []).map(textOf).sort().join())
    return one !== other
  }
  for (const { variantId, placed } of rows) if (placed.effect === 'same' && differs(variantId)) placed.effect = 'change'
  const confirmed = new Set(plan.confirmed)
  const moved = plan.menu.filter((item) => confirmed.has(item.id) && idsOf(item.variants).some(differs))
  for (const item of moved) plan.changed.push({ before: item, after: item })
  const planned = new Set([...plan.confirmed, ...plan.removed, ...[...plan.changed, ...plan.missing].map(({ before }) => before.id)])
  const closedIds = new Set(closed.places.map(({ variantId }) => variantId))
  for (const item of plan.menu) {
    if (!planned.has(item.id) && idsOf(item.variants).some((id) => closedIds.has(id))) plan.missing.push({ before: item, after: item })
  }
  const gone = new Set(idsOf(moved))
  plan.confirmed = plan.confirmed.filter((id) => !gone.has(id))
}

/** The offers by which a variant is in stock at one of these locations, changed to out of stock. */
async function endOffers(db: Db, soldOut: LocationOffers['soldOut']): Promise<Pick<LocationOffers, 'places' | 'offers'>> {
  const stored = await db
    .selectFrom('product_offers')
    .select(['variant_id', 'location_id', 'is_offered', 'price_cents', 'sale_price_cents', 'is_available'])
    .where(sql<boolean>`variant_id = any(${[...soldOut.keys()]}::uuid[])`)
    .where('is_available', '=', true)
    .execute()
  const ended = stored.filter(({ variant_id, location_id }) => soldOut.get(variant_id)?.includes(location_id))
  return {
    places: ended.map(({ variant_id, location_id }) => ({ variantId: variant_id, locationId: location_id })),
    offers: ended.flatMap((each) =>
      each.is_offered && each.price_cents === null && each.sale_price_cents === null ? [] : [{ ...each, is_available: null }],
    ),
  }
}

/** Call after the variants have been stored. */
export async function writeOffers(tx: Tx, businessId: string, { places, offers }: LocationOffers, now: Date): Promise<void> {
  if (places.length === 0) return
  const [variants, locations] = [places.map(({ variantId }) => variantId), places.map(({ locationId }) => locationId)]
  const known = await locationsForOffers(tx, businessId, [...new Set(locations)].sort(), now)
  await sql`
    delete from product_offers
    using unnest(${variants}::uuid[], ${locations}::uuid[]) as place (variant_id, location_id)
    where product_offers.variant_id = place.variant_id and product_offers.location_id = place.location_id`.execute(tx)
  if (offers.length === 0) return
  await sql`
    insert into product_offers (variant_id, location_id, is_offered, price_cents, sale_price_cents, is_available)
    select variant_id, location_id, is_offered, price_cents, sale_price_cents, is_available
    from json_to_recordset(${JSON.stringify(offers.filter(({ location_id }) => known.has(location_id)))}::json) as row (
      variant_id uuid, location_id uuid, is_offered boolean, price_cents integer, sale_price_cents integer, is_available boolean)`.execute(
    tx,
  )
}
