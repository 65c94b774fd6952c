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
  | { effect: 'refused' | 'inactive'; errors: CellError[] }

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

/** The offers of `variants` at `locations`. A location without an offer has the variant's own price and availability. */
type LocationOffers = {
  locations: string[]
  variants: string[]
  offers: Offer[]
  rows: { variantId: string; placed: AcceptedRow }[]
}

/** `base`: one row for each variant. `others`: the same variant at other locations. */
type SplitRows = { base: ReadRow[]; others: { row: ReadRow; base: ReadRow }[]; placeOf: ReadonlyMap<ReadRow, string> }

/**
 * If a file names several locations of the business, a variant has a row for each. The main location's row describes the variant, or else
 * the first published row without errors. In a file that names fewer than two locations, every row is a base row.
 */
export function splitByLocation(rows: readonly ReadRow[], { locations }: ShopNames): SplitRows {
  const placeOf = new Map<ReadRow, string>()
  for (const row of rows) {
    const place = locations.byKey.get(keyOf(row.cells.shop ?? ''))
    if (place !== undefined) placeOf.set(row, place)
  }
  const base: ReadRow[] = []
  const others: SplitRows['others'] = []
  if (new Set(placeOf.values()).size < 2) return { base: [...rows], others, placeOf: new Map() }
  for (const same of Map.groupBy(rows, identityOf).values()) {
    const good = same.filter(({ isActive, errors }) => isActive && errors.length === 0)
    const first = good.find((row) => placeOf.get(row) === locations.main) ?? good[0] ?? (same[0] as ReadRow)
    base.push(first)
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
  return { base, others, placeOf }
}

function identityOf({ cells }: ReadRow): string {
  const { sku, name = '', brand = '', category = '', weight = '', weightUnit = '' } = cells
  return JSON.stringify(sku ? [sku] : [name, brand, category, weight, weightUnit].map((cell) => cell.toLowerCase()))
}

/** Adds the rows of other locations to a plan of the base rows, with the offers they result in. */
export function addOffers(plan: Plan, { others, placeOf }: SplitRows, missingItems: MissingItems): LocationOffers {
  const locations = [...new Set(placeOf.values())].sort()
  const result: LocationOffers = { locations, variants: [], offers: [], rows: [] }
  if (locations.length === 0) return result
  const rowsOf = Map.groupBy(others, ({ base }) => base)
  for (const { read, placed } of [...plan.rows]) {
    const elsewhere = (rowsOf.get(read) ?? []).map(({ row }) => row)
    if (!('item' in placed)) {
      for (const row of elsewhere) plan.rows.push({ read: row, placed: { effect: 'refused', errors: placed.errors } })
      continue
    }
    const { item, variant } = placed
    const seen = new Set([placeOf.get(read)])
    result.variants.push(variant.id)
    for (const row of elsewhere) {
      const place = placeOf.get(row) as string
      const own = { ...emptyVariant(''), price_cents: variant.price_cents, ...row.variant }
      const wrong = Object.entries({ ...checkVariant({ ...own, member_price_cents: null, sale_starts_on: null, sale_ends_on: null }) })
      const errors = [...row.errors, ...wrong.map(([, message]) => ({ field: 'salePrice' as const, message }))]
      seen.add(place)
      if (errors.length > 0) {
        plan.rows.push({ read: row, placed: { effect: 'refused', errors } })
        continue
      }
      const offer = row.isActive ? offerOf(variant, own, place) : absent(variant.id, place, missingItems)
      if (offer) result.offers.push(offer)
      const isNew = placed.effect === 'add' || placed.effect === 'add_variant'
      // `moveReoffered` determines whether the row changes anything.
      const effect = isNew ? 'add' : 'same'
      const shown: AcceptedRow = { effect, item, variant: { ...variant, ...pricesOf(own) }, errors: [] }
      result.rows.push({ variantId: variant.id, placed: shown })
      plan.rows.push({ read: row, placed: shown })
    }
    if (missingItems === 'leave') continue
    for (const place of locations) if (!seen.has(place)) result.offers.push(absent(variant.id, place, missingItems))
  }
  return result
}

const pricesOf = ({ price_cents, sale_price_cents, stock, is_available }: VariantRow) => ({
  ...{ price_cents, sale_price_cents, stock, is_available },
})

const isInStock = ({ is_available, stock }: VariantRow) => is_available && stock !== 0

/** Null if the location doesn't differ. A location's price replaces both prices. */
function offerOf(variant: VariantRow, own: VariantRow, locationId: string): Offer | null {
  const endsSale = own.sale_price_cents === null && variant.sale_price_cents !== null
  const price_cents = own.price_cents !== variant.price_cents || endsSale ? own.price_cents : null
  const sale_price_cents = price_cents === null && own.sale_price_cents === variant.sale_price_cents ? null : own.sale_price_cents
  const is_available = isInStock(own) === isInStock(variant) ? null : isInStock(own)
  if (price_cents === null && sale_price_cents === null && is_available === null) return null
  return { variant_id: variant.id, location_id: locationId, is_offered: true, price_cents, sale_price_cents, is_available }
}

const absent = (variantId: string, locationId: string, missingItems: MissingItems): Offer => ({
  ...{ variant_id: variantId, location_id: locationId, is_offered: missingItems !== 'remove' },
  ...{ price_cents: null, sale_price_cents: null, is_available: missingItems === 'remove' ? null : false },
})

/** Treats confirmed items as changed if their offers differ from those stored, so that they are saved for undo. */
export async function moveReoffered(db: Db, plan: Plan, { locations, variants, offers, rows }: LocationOffers): Promise<void> {
  if (locations.length === 0) return
  const stored = await db
    .selectFrom('product_offers')
    .select(['variant_id', 'location_id', 'is_offered', 'price_cents', 'sale_price_cents', 'is_available'])
    .where(sql<boolean>`variant_id = any(${variants}::uuid[])`)
    .where(sql<boolean>`location_id = any(${locations}::uuid[])`)
    .execute()
  const textOf = (each: Offer) =>
    JSON.stringify([each.location_id, each.is_offered, each.price_cents, each.sale_price_cents, each.is_available])
  const byVariant = (list: readonly Offer[]) => Map.groupBy(list, (each) => each.variant_id)
  const [before, after] = [byVariant(stored), byVariant(offers)]
  const differs = (id: string) => {
    const [one, other] = [before, after].map((of) => (of.get(id) ?? []).map(textOf).sort().join())
    return one !== other
  }
  for (const { variantId, placed } of rows) if (placed.effect === 'same' && differs(variantId)) placed.effect = 'change'
  const confirmed = new Set(plan.confirmed)
  const moved = plan.menu.filter((item) => confirmed.has(item.id) && idsOf(item.variants).some(differs))
  for (const item of moved) plan.changed.push({ before: item, after: item })
  const gone = new Set(idsOf(moved))
  plan.confirmed = plan.confirmed.filter((id) => !gone.has(id))
}

/** The variants must be stored. */
export async function writeOffers(tx: Tx, businessId: string, { locations, variants, offers }: LocationOffers, now: Date): Promise<void> {
  if (locations.length === 0) return
  const known = await locationsForOffers(tx, businessId, locations, now)
  await sql`
    delete from product_offers
    where variant_id = any(${variants}::uuid[]) and location_id = any(${locations}::uuid[])`.execute(tx)
  if (offers.length === 0) return
  await sql`
    insert into product_offers (variant_id, location_id, is_offered, price_cents, sale_price_cents, is_available)
    select variant_id, location_id, is_offered, price_cents, sale_price_cents, is_available
    from json_to_recordset(${JSON.stringify(offers.filter(({ location_id }) => known.has(location_id)))}::json) as row (
      variant_id uuid, location_id uuid, is_offered boolean, price_cents integer, sale_price_cents integer, is_available boolean)`.execute(
    tx,
  )
}
