import type { Parsed, ResponseOf } from '#contracts/endpoint.ts'
import { parseCents } from '#contracts/money.rules.ts'
import type { FoundProduct } from '#contracts/product-search.endpoints.ts'
import * as contract from '#contracts/product-search.endpoints.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { type Area, defaultRadiusMiles, loadSummaries, nearArea } from '#server/features/businesses/index.ts'
import { type Jurisdiction, maySeeProducts, openPlacesFor, productAgeOf } from '#server/features/jurisdictions/index.ts'
import { menuProducts } from '#server/features/menus/index.ts'
import { viewerOf } from '#server/features/posts/index.ts'
import { type Actor, ageOf } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { resolvePlace } from '#server/kernel/geo/place-search.ts'
import { isInState } from '#server/kernel/geo/state-shapes.ts'
import { usStates } from '#server/kernel/geo/us-states.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { type Api, route } from '#server/kernel/route.ts'
import {
  countNear,
  type FoundRow,
  homeOf,
  type ProductSearch,
  placesTooYoungFor,
  positionKinds,
  productsNear,
  queryWords,
} from './products-near.queries.ts'

/** Calls that search the menus of businesses near a place. */
export function registerProductSearch(api: Api): void {
  route(api, contract.searchProducts, ({ ctx, actor, query }) => searchProducts(ctx, actor, query))
  route(api, contract.countProducts, ({ ctx, actor, query }) => countProducts(ctx, actor, query))
}

type Ctx = Pick<Context, 'db' | 'clock'>
type Query = Parsed<(typeof contract.searchProducts)['query']>
type Filters = Parsed<(typeof contract.countProducts)['query']>

/** Items confirmed longer ago are listed after comparable ones, because their cards show a warning. */
const freshMs = 7 * dayMs

/**
 * One page of the menu items near a place that the viewer may see.
 * @throws AppError invalid_input without a known place; age_restricted if nothing is found and the viewer is too young for the place
 */
async function searchProducts(ctx: Ctx, actor: Actor, { limit, cursor, sort, ...filters }: Query): Promise<Page<FoundProduct>> {
  const after = decodeCursor(cursor, positionKinds)
  // The items of later pages are chosen as of the time of the first page.
  const now = after ? new Date(after[0]) : ctx.clock.now()
  const { search, place } = await toSearch(ctx.db, actor, filters, now)
  // Computes the viewer's age as of now, because a forged cursor could contain a later time.
  const viewer = viewerOf(actor, ctx.clock.now())
  const found = await productsNear(ctx.db, viewer, search, { sort, after, limit: limit + 1 })
  if (found.length === 0 && after === null) requireAge(actor, place, ctx.clock.now())
  const keyOf = ({ tier, value, distance, distrust, id }: FoundRow) => [now.toISOString(), tier, value, distance, distrust, id]
  const { items, nextCursor } = toPage(found, limit, keyOf)
  return { items: await hydrate(ctx, actor, items, search.area), nextCursor }
}

/** @throws the same errors as `searchProducts` */
async function countProducts(ctx: Ctx, actor: Actor, filters: Filters): Promise<ResponseOf<typeof contract.countProducts>> {
  const now = ctx.clock.now()
  const { search, place } = await toSearch(ctx.db, actor, filters, now)
  const viewer = viewerOf(actor, now)
  const { items, shops } = await countNear(ctx.db, viewer, search)
  if (items === 0) requireAge(actor, place, now)
  const isOfAge = openPlacesFor(viewer.age).everywhere
  const ages = isOfAge ? [] : (await placesTooYoungFor(ctx.db, viewer, search)).map((each) => productAgeOf(each).minimumAge)
  const { label, radiusMiles } = search.area
  return { itemCount: items, shopCount: shops, place: { label, radiusMiles }, productAge: ages.length > 0 ? Math.min(...ages) : null }
}

async function toSearch(
  db: Db,
  actor: Actor,
  { q, near: asked, radius, category, strainType, maxPrice, minPrice, perGram, inStock, onSale, open }: Filters,
  now: Date,
): Promise<{ search: ProductSearch; place: Jurisdiction }> {
  const near = asked || (await homeOf(db, actor.id))
  if (!near) throw invalidField('near', 'Enter a city and state, or a ZIP code')
  const area = nearArea(near, radius ?? defaultRadiusMiles, 'near')
  const search = {
    words: queryWords(q ?? ''),
    area,
    category: category ?? null,
    strainType: strainType ?? null,
    maxCents: maxPrice === undefined ? null : parseCents(maxPrice),
    minCents: minPrice === undefined ? null : parseCents(minPrice),
    isPerGram: perGram ?? false,
    inStock: inStock ?? false,
    onSale: onSale ?? false,
    isOpen: open ?? false,
    now,
    freshSince: new Date(now.getTime() - freshMs),
  }
  return { search, place: { country: 'US', state: stateOf(area, near) } }
}

function stateOf({ state, center }: Area, near: string): string | null {
  const { latitude, longitude } = center
  return state ?? resolvePlace(near)?.state ?? usStates.find(({ code }) => isInState(latitude, longitude, code))?.code ?? null
}

/** Refuses viewers too young for the place, because an empty list would look as if no shop had the item. */
function requireAge(actor: Actor, place: Jurisdiction, now: Date): void {
  if (maySeeProducts(ageOf(actor, now), place)) return
  const { minimumAge, rule } = productAgeOf(place)
  throw new AppError('age_restricted', { message: `You must be ${minimumAge} or older to see products here. ${rule}` })
}

async function hydrate({ db, clock }: Ctx, actor: Actor, rows: readonly FoundRow[], area: Area): Promise<FoundProduct[]> {
  if (rows.length === 0) return []
  const now = clock.now()
  const isAround = area.radiusMiles !== null
  const distances = new Map(rows.map((row) => [row.business_id, isAround ? Math.round(row.distance * 10) / 10 : null]))
  const [products, shops] = await Promise.all([
    menuProducts(
      db,
      actor.id,
      rows.map(({ id, business_id }) => ({ id, businessId: business_id })),
      now,
    ),
    loadSummaries(db, [...distances.keys()], now, distances),
  ])
  const shopById = new Map(shops.map((shop) => [shop.id, shop]))
  // An item or a shop may have been deleted or hidden since the IDs were read.
  return rows.flatMap(({ id, business_id, is_deal }) => {
    const [product, shop] = [products.get(id), shopById.get(business_id)]
    return product && shop ? [{ product, shop, isDeal: is_deal }] : []
  })
}
