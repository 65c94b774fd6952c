import { sql } from 'kysely'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { lowStockThreshold } from '#contracts/limits.ts'
import type { Media } from '#contracts/media.ts'
import { type MenuPart, productCategories } from '#contracts/menu-fields.rules.ts'
import { itemFieldKeys, type ProductCategory, shopperItemFields, shopperVariantFields, variantFieldKeys } from '#contracts/menu-fields.ts'
import type { getMenu as contract, getProduct as productContract } from '#contracts/menus.endpoints.ts'
import type { MenuItem, MenuVariant, Product, ProductVariant } from '#contracts/menus.ts'
import { formatCents, parseCents } from '#contracts/money.rules.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { defaultRadiusMiles, getBusiness, milesTo, nearArea, requireBusiness, searchWords } from '#server/features/businesses/index.ts'
import { requireLocation } from '#server/features/locations/index.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { pathOfStrain } from '#server/features/strains/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { type Page, toPage } from '#server/kernel/keyset.ts'
import { documentUrl, pictureUrl } from '#server/kernel/media-address.ts'
import { nearest, shortestTypo } from '#server/kernel/search.ts'
import { valuesOf } from './menu-fields.ts'
import { requireMenuAge, requireMenuEditor } from './menu-lock.ts'
import { defaultTerms, isTaxIncluded, type MenuTerms, menuTerms, menuTermsOf, shownCents, typedCents } from './menu-settings.ts'
import { itemColumns } from './product-rows.queries.ts'
import {
  businessOfProduct,
  decodeMenuCursor,
  hasMemberPrices,
  keyOfItem,
  type MenuFilter,
  memberPricesAt,
  menuCounts,
  menuItemsPage,
  menuWords,
  type ShownRow,
  type ShownVariant,
  shownProducts,
} from './products.queries.ts'
import { type VariantRow, variantsOf } from './variant-rows.queries.ts'

type Menu = ResponseOf<typeof contract>

export async function getMenu(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor | null,
  idOrSlug: string,
  location: string | null,
): Promise<Menu> {
  const business = await requireBusiness(db, idOrSlug, actor?.id ?? null)
  const now = clock.now()
  requireMenuAge(actor, business, now)
  // Prices don't apply while the business is closed: see decision 045.
  return business.closure === null ? menuSummary(db, business.id, location, now) : toSummary([])
}

/** Doesn't check the viewer's age. */
export async function menuSummary(db: Db, businessId: string, location: string | null, now: Date): Promise<Menu> {
  if (location !== null) await requireLocation(db, businessId, location)
  return toSummary(await menuCounts(db, businessId, location, now))
}

function toSummary(rows: Awaited<ReturnType<typeof menuCounts>>): Menu {
  const times = rows.map((row) => row.confirmed_at.getTime())
  const sumOf = (of: 'item_count' | 'in_stock_count' | 'on_sale_count', among = rows) => among.reduce((sum, row) => sum + row[of], 0)
  const counted = <Key>(keyOf: (row: (typeof rows)[number]) => Key) =>
    [...Map.groupBy(rows, keyOf)].map(([key, among]) => [key, sumOf('item_count', among)] as const)
  return {
    itemCount: sumOf('item_count'),
    categories: counted((row) => row.category_rank).map(([rank, count]) => ({
      category: productCategories[rank] as ProductCategory,
      itemCount: count,
    })),
    strainTypes: counted((row) => row.strain_type).flatMap(([strainType, count]) => (strainType ? [{ strainType, itemCount: count }] : [])),
    inStockCount: sumOf('in_stock_count'),
    onSaleCount: sumOf('on_sale_count'),
    confirmedAt: times.length > 0 ? new Date(Math.min(...times)).toISOString() : null,
  }
}

function filterOf(part: MenuPart | undefined, now: Date): MenuFilter {
  if (part === 'in_stock') return { inStock: true }
  if (part === 'out_of_stock') return { isOut: true }
  if (part === 'no_category') return { hasNoCategory: true }
  return part === 'unconfirmed' ? { confirmedBefore: new Date(now.getTime() - 7 * dayMs) } : {}
}

/** @throws the same errors as `requireMenuEditor` */
export async function listMenuItems(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  idOrSlug: string,
  { part, ...query }: MenuFilter & { part?: MenuPart | undefined; limit: number; cursor?: string | undefined },
): Promise<Page<MenuItem>> {
  const now = clock.now()
  const { id } = await requireMenuEditor(db, actor, idOrSlug, now)
  const keys = await menuItemsPage(
    db,
    id,
    { ...query, ...filterOf(part, now) },
    {
      after: decodeMenuCursor(query.cursor, query.sort),
      limit: query.limit + 1,
      now,
      isForEditors: true,
    },
  ).execute()
  const { items, nextCursor } = toPage(keys, query.limit, keyOfItem)
  return {
    items: await loadMenuItems(db, idsOf(items)),
    nextCursor,
  }
}

type MenuQuery = Omit<MenuFilter, 'maxCents'> & {
  limit: number
  cursor?: string | undefined
  location?: string | undefined
  maxPrice?: string | undefined
}

/** @throws AppError not_found; age_restricted for viewers below the jurisdiction's age or of unknown age */
export async function listProducts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor | null,
  idOrSlug: string,
  query: MenuQuery,
): Promise<Page<Product>> {
  const business = await requireBusiness(db, idOrSlug, actor?.id ?? null)
  const now = clock.now()
  requireMenuAge(actor, business, now)
  if (business.closure !== null) return { items: [], nextCursor: null }
  const forMembers = actor !== null && (await hasMemberPrices(db, actor.id, business.id, now))
  return menuPage(db, business.id, query, now, forMembers)
}

/**
 * Doesn't check the viewer's age: see `requireMenuAge`. If nothing matches `q`, tolerates typos in it.
 * @throws AppError not_found for a location of another business, invalid_input about the cursor
 */
export async function menuPage(
  db: Db,
  businessId: string,
  { limit, cursor, location: locationId, maxPrice, ...filter }: MenuQuery,
  now: Date,
  hasMemberPrices = false,
): Promise<Page<Product>> {
  const location = locationId ?? null
  if (location !== null) await requireLocation(db, businessId, location)
  const after = decodeMenuCursor(cursor, filter.sort)
  const terms = await menuTerms(db, businessId)
  const maxCents = maxPrice === undefined ? undefined : typedCents(parseCents(maxPrice), terms)
  const keysOf = (q: string | undefined) =>
    menuItemsPage(db, businessId, { ...filter, q, maxCents }, { after, limit: limit + 1, now, location }).execute()
  let keys = await keysOf(filter.q)
  if (keys.length === 0 && filter.q) {
    const q = await withoutTypos(db, businessId, filter.q)
    if (q !== null) keys = await keysOf(q)
  }
  const page = toPage(keys, limit, keyOfItem)
  const products = await loadProducts(db, idsOf(page.items), location, now, () => ({ terms, hasMemberPrices }))
  // An item may have been deleted since the keys were read.
  return { items: page.items.flatMap(({ id }) => products.get(id) ?? []), nextCursor: page.nextCursor }
}

/** Replaces each word that isn't on the menu with the most similar one that is. Null if there is none, or nothing to replace. */
async function withoutTypos(db: Db, businessId: string, q: string): Promise<string | null> {
  const words = searchWords(q)
  if (!words.some((word) => word.length >= shortestTypo)) return null
  const known = await menuWords(db, businessId)
  const found = words.map((word) => {
    if (known.some((each) => each.includes(word))) return word
    return word.length < shortestTypo ? null : (nearest(word, known)[0] ?? null)
  })
  return found.includes(null) || found.join() === words.join() ? null : found.join(' ')
}

/**
 * Returns an item with a location's prices, its business and the distance to it.
 * @throws AppError not_found for items that are missing, hidden, of a closed business or not on the location's menu; age_restricted as for
 * `listProducts`; invalid_input about `near`
 */
export async function getProduct(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor | null,
  id: string,
  { location: locationId, near }: { location?: string | undefined; near?: string | undefined },
): Promise<ResponseOf<typeof productContract>> {
  const location = locationId ?? null
  const gone = notFound('This item is no longer on the menu.')
  const item = await businessOfProduct(db, id)
  if (!item) throw gone
  const now = clock.now()
  const place = await requireBusiness(db, item.business_id, actor?.id ?? null).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? gone : error
  })
  requireMenuAge(actor, place, now)
  if (place.closure !== null) throw notFound('This business is closed, so its menu isn’t shown.')
  if (location !== null) await requireLocation(db, place.id, location)
  const [terms, isSubscriber, business] = await Promise.all([
    menuTerms(db, place.id),
    actor !== null && hasMemberPrices(db, actor.id, place.id, now),
    getBusiness(db, place.id, now),
  ])
  const products = await loadProducts(db, [id], location, now, () => ({ terms, hasMemberPrices: isSubscriber }))
  const product = products.get(id)
  if (!product) throw gone
  const area = near ? nearArea(near, defaultRadiusMiles, 'near') : null
  return {
    product,
    business: { ...business, distanceMiles: area && milesTo(business.pin, area.center) },
    strainPath: product.strain && pathOfStrain(product.strain, business),
  }
}

/** Returns null if the item isn't on this menu or the location's, or if moderators hid it. Doesn't check the viewer's age. */
export async function menuProduct(db: Db, businessId: string, id: string, location: string | null, now: Date): Promise<Product | null> {
  const item = await businessOfProduct(db, id)
  if (item?.business_id !== businessId) return null
  const terms = await menuTerms(db, businessId)
  const products = await loadProducts(db, [id], location, now, () => ({ terms, hasMemberPrices: false }))
  return products.get(id) ?? null
}

/** Prices are the general ones, not a location's. Doesn't check the viewer's age. */
export async function menuProducts(
  db: Db,
  viewerId: string,
  items: readonly { id: string; businessId: string }[],
  now: Date,
): Promise<Map<string, Product>> {
  const shops = [...new Set(items.map(({ businessId }) => businessId))]
  const [terms, members] = await Promise.all([menuTermsOf(db, shops), memberPricesAt(db, viewerId, shops, now)])
  return loadProducts(db, idsOf(items), null, now, (id) => ({ terms: terms.get(id) ?? defaultTerms, hasMemberPrices: members.has(id) }))
}

type Around = { terms: MenuTerms; hasMemberPrices: boolean }

async function loadProducts(db: Db, ids: readonly string[], location: string | null, now: Date, aroundOf: (businessId: string) => Around) {
  const rows = await shownProducts(db, ids, location, now)
  const mediaIds = rows.flatMap((row) => row.image_id ?? [])
  const media = await mediaOf(db, mediaIds)
  return new Map(rows.map((row) => [row.id, toProduct(row, { ...aroundOf(row.business_id), media })]))
}

function toProduct(row: ShownRow, { terms, media, hasMemberPrices }: Around & { media: ReadonlyMap<string, Media> }): Product {
  const available = row.variants.filter((variant) => variant.is_available)
  const paid = (available.length > 0 ? available : row.variants).map((variant) => variant.sale_price_cents ?? variant.price_cents)
  return {
    id: row.id,
    ...valuesOf(row, shopperItemFields),
    price: formatCents(shownCents(Math.min(...paid), terms)),
    isAvailable: available.length > 0,
    isOnSale: available.some((variant) => variant.sale_price_cents !== null),
    hasMemberPrices,
    variants: row.variants.map((variant) => toVariant(variant, terms)),
    currency: terms.currency,
    isTaxIncluded: isTaxIncluded(terms),
    certificateUrl: row.certificate_id && documentUrl(row.certificate_id),
    imageUrl: row.image_id && pictureUrl(row.image_id, 'medium', 'webp'),
    image: (row.image_id && media.get(row.image_id)) || null,
    confirmedAt: row.confirmed_at.toISOString(),
  }
}

function toVariant(row: ShownVariant, terms: MenuTerms): ProductVariant {
  const { price_cents, sale_price_cents, member_price_cents, stock, is_available } = row
  const shown = (cents: number | null) => (cents === null ? null : formatCents(shownCents(cents, terms)))
  // A sale or a location's price may be lower than the subscriber price.
  const isCheaper = member_price_cents !== null && member_price_cents < (sale_price_cents ?? price_cents)
  return {
    id: row.id,
    ...valuesOf(row, shopperVariantFields),
    price: formatCents(shownCents(price_cents, terms)),
    salePrice: shown(sale_price_cents),
    saleEnds: sale_price_cents === null ? null : row.sale_ends_on,
    memberPrice: isCheaper ? shown(member_price_cents) : null,
    isLow: is_available && stock !== null && stock > 0 && stock <= lowStockThreshold,
  }
}

type Row = Awaited<ReturnType<typeof itemRows>>[number]
type Offer = MenuVariant['offers'][number]

const itemRows = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('products')
    .select([...itemColumns, 'id', 'version', 'confirmed_at', 'updated_at'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()

async function offersByVariant(db: Db, productIds: readonly string[]): Promise<Map<string, Offer[]>> {
  const rows = await db
    .selectFrom('product_offers')
    .innerJoin('product_variants', 'product_variants.id', 'variant_id')
    .select(['variant_id', 'location_id', 'is_offered', 'product_offers.price_cents'])
    .select(['product_offers.sale_price_cents', 'product_offers.is_available'])
    .where(sql<boolean>`product_id = any(${productIds}::uuid[])`)
    .orderBy('location_id')
    .execute()
  const cents = (value: number | null) => (value === null ? null : formatCents(value))
  const byVariant = new Map<string, Offer[]>()
  for (const row of rows) {
    const list = byVariant.get(row.variant_id) ?? []
    byVariant.set(row.variant_id, list)
    list.push({
      locationId: row.location_id,
      isOffered: row.is_offered,
      price: cents(row.price_cents),
      salePrice: cents(row.sale_price_cents),
      isAvailable: row.is_available,
    })
  }
  return byVariant
}

/** Items as menu editors see them, in the order of the IDs. Omits deleted ones. */
export async function loadMenuItems(db: Db, ids: readonly string[]): Promise<MenuItem[]> {
  if (ids.length === 0) return []
  const [rows, variants, offers] = await Promise.all([itemRows(db, ids), variantsOf(db, ids), offersByVariant(db, ids)])
  const mediaIds = rows.flatMap((row) => row.image_id ?? [])
  const media = await mediaOf(db, mediaIds)
  const toMenuVariant = (variant: VariantRow): MenuVariant => ({
    id: variant.id,
    ...valuesOf(variant, variantFieldKeys),
    offers: offers.get(variant.id) ?? [],
  })
  const items = new Map(rows.map((row) => [row.id, toMenuItem(row, (variants.get(row.id) ?? []).map(toMenuVariant), media)]))
  return ids.flatMap((id) => items.get(id) ?? [])
}

const toMenuItem = (row: Row, variants: MenuVariant[], media: ReadonlyMap<string, Media>): MenuItem => ({
  id: row.id,
  ...valuesOf(row, itemFieldKeys),
  variants,
  certificateId: row.certificate_id,
  certificateUrl: row.certificate_id && documentUrl(row.certificate_id),
  image: (row.image_id && media.get(row.image_id)) || null,
  confirmedAt: row.confirmed_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  version: row.version,
})
