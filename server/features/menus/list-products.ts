import type { Product } from '../../../contracts/menus.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { type Page, toPage } from '../../kernel/keyset.ts'
import { requireBusiness } from '../businesses/index.ts'
import { requireLocation } from '../locations/index.ts'
import { mediaOf } from '../media/index.ts'
import { requireMenuAge } from './menu-age.ts'
import { menuTerms } from './menu-terms.ts'
import {
  decodeMenuCursor,
  hasMemberPrices,
  isOfferedAt,
  keyOfItem,
  type MenuFilter,
  menuItemsPage,
  shownProducts,
} from './products.queries.ts'
import { toProduct } from './products.view.ts'

export type MenuQuery = MenuFilter & { limit: number; cursor?: string | undefined; location?: string | undefined }

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
 * One page of a menu as shoppers see it, by category and name. Whether they are old enough is for the caller to know: see
 * `requireMenuAge`.
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
  const media = await mediaOf(
    db,
    rows.flatMap((row) => row.image_id ?? []),
  )
  const products = new Map(rows.map((row) => [row.id, toProduct(row, { terms, media, hasMemberPrices: forMembers })]))
  // One may have been removed since the keys were read.
  return { items: page.items.flatMap(({ id }) => products.get(id) ?? []), nextCursor: page.nextCursor }
}
