import { sql } from 'kysely'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { Media } from '#contracts/media.ts'
import { productCategories } from '#contracts/menu-fields.rules.ts'
import { menuFieldKeys, type ProductCategory, shopperFields } from '#contracts/menu-fields.ts'
import type { getMenu as contract } from '#contracts/menus.endpoints.ts'
import type { MenuItem, Product } from '#contracts/menus.ts'
import { formatCents } from '#contracts/money.rules.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { requireBusiness } from '#server/features/businesses/index.ts'
import { requireLocation } from '#server/features/locations/index.ts'
import { mediaOf } from '#server/features/media/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { type Page, toPage } from '#server/kernel/keyset.ts'
import { documentUrl, pictureUrl } from '#server/kernel/media-address.ts'
import { valuesOf } from './menu-fields.ts'
import { requireKeeper, requireMenuAge } from './menu-lock.ts'
import { isTaxIncluded, type MenuTerms, menuTerms, shownCents } from './menu-settings.ts'
import { itemColumns } from './product-rows.queries.ts'
import {
  decodeMenuCursor,
  hasMemberPrices,
  isOfferedAt,
  keyOfItem,
  type MenuFilter,
  menuCounts,
  menuItemsPage,
  type ShownRow,
  shownProducts,
} from './products.queries.ts'

type Menu = ResponseOf<typeof contract>

export async function getMenu(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor | null,
  idOrSlug: string,
  location: string | null,
): Promise<Menu> {
  const business = await requireBusiness(db, idOrSlug, actor?.id ?? null)
  requireMenuAge(actor, business, clock.now())
  return menuSummary(db, business.id, location)
}

/** The caller must have checked the viewer's age. */
export async function menuSummary(db: Db, businessId: string, location: string | null): Promise<Menu> {
  if (location !== null) await requireLocation(db, businessId, location)
  const rows = await menuCounts(db, businessId, location)
  const times = rows.map((row) => row.confirmed_at.getTime())
  return {
    itemCount: rows.reduce((sum, row) => sum + row.item_count, 0),
    categories: rows.map((row) => ({ category: productCategories[row.category_rank] as ProductCategory, itemCount: row.item_count })),
    confirmedAt: times.length > 0 ? new Date(Math.min(...times)).toISOString() : null,
  }
}

/** For menu editors. @throws as `requireKeeper` */
export async function listMenuItems(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  idOrSlug: string,
  query: MenuFilter & { limit: number; cursor?: string | undefined },
): Promise<Page<MenuItem>> {
  const { id } = await requireKeeper(db, actor, idOrSlug, clock.now())
  const keys = await menuItemsPage(db, id, query, decodeMenuCursor(query.cursor), query.limit + 1).execute()
  const { items, nextCursor } = toPage(keys, query.limit, keyOfItem)
  return {
    items: await loadMenuItems(db, idsOf(items)),
    nextCursor,
  }
}

type MenuQuery = MenuFilter & { limit: number; cursor?: string | undefined; location?: string | undefined }

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
  const forMembers = actor !== null && (await hasMemberPrices(db, actor.id, business.id, now))
  return menuPage(db, business.id, query, forMembers)
}

/**
 * One page of a menu as shoppers see it, by category and name. The caller must have checked the viewer's age: see `requireMenuAge`.
 * @throws AppError not_found for a location of another business
 */
export async function menuPage(db: Db, businessId: string, query: MenuQuery, forMembers = false): Promise<Page<Product>> {
  const location = query.location ?? null
  if (location !== null) await requireLocation(db, businessId, location)
  const after = decodeMenuCursor(query.cursor)
  const keys = await menuItemsPage(db, businessId, query, after, query.limit + 1)
    .where(isOfferedAt(location))
    .execute()
  const page = toPage(keys, query.limit, keyOfItem)
  const [rows, terms] = await Promise.all([
    shownProducts(
      db,
      page.items.map(({ id }) => id),
      location,
    ),
    menuTerms(db, businessId),
  ])
  const mediaIds = rows.flatMap((row) => row.image_id ?? [])
  const media = await mediaOf(db, mediaIds)
  const products = new Map(rows.map((row) => [row.id, toProduct(row, { terms, media, hasMemberPrices: forMembers })]))
  // An item may have been deleted since the keys were read.
  return { items: page.items.flatMap(({ id }) => products.get(id) ?? []), nextCursor: page.nextCursor }
}

type Around = { terms: MenuTerms; media: ReadonlyMap<string, Media>; hasMemberPrices: boolean }

function toProduct(row: ShownRow, { terms, media, hasMemberPrices }: Around): Product {
  const cents = shownCents(row.price_cents, terms)
  const memberCents = row.member_price_cents === null ? null : shownCents(row.member_price_cents, terms)
  return {
    id: row.id,
    ...valuesOf(row, shopperFields),
    price: formatCents(cents),
    // A location's price may be lower than the subscriber price.
    memberPrice: hasMemberPrices && memberCents !== null && memberCents < cents ? formatCents(memberCents) : null,
    currency: terms.currency,
    isTaxIncluded: isTaxIncluded(terms),
    certificateUrl: row.certificate_id && documentUrl(row.certificate_id),
    imageUrl: row.image_id && pictureUrl(row.image_id, 'medium', 'webp'),
    image: (row.image_id && media.get(row.image_id)) || null,
    confirmedAt: row.confirmed_at.toISOString(),
  }
}

type Row = Awaited<ReturnType<typeof itemRows>>[number]
type Offer = MenuItem['offers'][number]

const itemRows = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('products')
    .select([...itemColumns, 'id', 'version', 'confirmed_at', 'updated_at'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()

const offersOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('product_offers')
    .select(['product_id', 'location_id', 'is_offered', 'price_cents', 'is_available'])
    .where(sql<boolean>`product_id = any(${ids}::uuid[])`)
    .orderBy('location_id')
    .execute()

/** Items as menu editors see them, in the order of the IDs, without deleted ones. */
export async function loadMenuItems(db: Db, ids: readonly string[]): Promise<MenuItem[]> {
  if (ids.length === 0) return []
  const [rows, offers] = await Promise.all([itemRows(db, ids), offersOf(db, ids)])
  const mediaIds = rows.flatMap((row) => row.image_id ?? [])
  const media = await mediaOf(db, mediaIds)
  const offersByItem = new Map<string, Offer[]>()
  for (const offer of offers) {
    const list = offersByItem.get(offer.product_id) ?? []
    offersByItem.set(offer.product_id, list)
    list.push({
      locationId: offer.location_id,
      isOffered: offer.is_offered,
      price: offer.price_cents === null ? null : formatCents(offer.price_cents),
      isAvailable: offer.is_available,
    })
  }
  const items = new Map(rows.map((row) => [row.id, toMenuItem(row, offersByItem.get(row.id) ?? [], media)]))
  return ids.flatMap((id) => items.get(id) ?? [])
}

const toMenuItem = (row: Row, offers: Offer[], media: ReadonlyMap<string, Media>): MenuItem => ({
  id: row.id,
  ...valuesOf(row, menuFieldKeys),
  certificateId: row.certificate_id,
  certificateUrl: row.certificate_id && documentUrl(row.certificate_id),
  image: (row.image_id && media.get(row.image_id)) || null,
  offers,
  confirmedAt: row.confirmed_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  version: row.version,
})
