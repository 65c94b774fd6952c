import { type Expression, type SqlBool, sql } from 'kysely'
import { productCategories } from '#contracts/menu-fields.rules.ts'
import { type ProductCategory, shopperFields } from '#contracts/menu-fields.ts'
import type { Db } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { asksPrice, hasPlanWith } from '#server/features/billing/index.ts'
import { containsWord, searchWords } from '#server/features/businesses/index.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { decodeCursor } from '#server/kernel/keyset.ts'
import { columnsOf } from './menu-fields.ts'

/** Sort key of every menu: category, name, ID. */
export type MenuKey = readonly [categoryRank: number, name: string, id: string]

export function decodeMenuCursor(cursor: string | undefined): MenuKey | null {
  const key = decodeCursor(cursor, ['integer', 'string', 'id'])
  // An invalid rank would cause a database error.
  if (key && productCategories[key[0]] === undefined) throw invalidField('cursor', 'Not valid')
  return key
}

export const keyOfItem = (row: { category_rank: number; sort_name: string; id: string }): MenuKey => [
  row.category_rank,
  row.sort_name,
  row.id,
]

export type MenuFilter = { category?: ProductCategory | undefined; q?: string | undefined }

/** Items without a category rank with "Other". */
const rankOf = (category: ProductCategory) => productCategories.indexOf(category)

/** One page of a menu's item IDs with their sort keys. Uses the index `products_of_menu`. */
export function menuItemsPage(db: Db, businessId: string, { category, q }: MenuFilter, after: MenuKey | null, limit: number) {
  return db
    .selectFrom('products')
    .select(['products.id', 'category_rank', sql<string>`lower(name)`.as('sort_name')])
    .where('business_id', '=', businessId)
    .$if(category !== undefined, (query) => query.where('category_rank', '=', rankOf(category as ProductCategory)))
    .where((eb) => eb.and(searchWords(q ?? '').map((word) => containsWord(eb.ref('products.search_text'), word))))
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(category_rank, lower(name), products.id) > (${after?.[0]}::integer, ${after?.[1]}, ${after?.[2]}::uuid)`),
    )
    .orderBy('category_rank')
    .orderBy(sql`lower(name)`)
    .orderBy('products.id')
    .limit(limit)
}

/** Excludes items removed from this location's menu; null includes every item. */
export const isOfferedAt = (locationId: string | null): Expression<SqlBool> =>
  locationId === null
    ? sql<SqlBool>`true`
    : sql<SqlBool>`not exists (
        select from product_offers where product_id = products.id and location_id = ${locationId}::uuid and not is_offered)`

/** Fields that don't differ by location. */
const onlyOfItem = shopperFields.filter((key) => key !== 'price' && key !== 'isAvailable')

/** As shoppers see them at a location; null for none in particular. */
export async function shownProducts(db: Db, ids: readonly string[], locationId: string | null) {
  if (ids.length === 0) return []
  return db
    .selectFrom('products')
    .leftJoin('product_offers', (join) =>
      join.onRef('product_offers.product_id', '=', 'products.id').on(sql<boolean>`product_offers.location_id = ${locationId}::uuid`),
    )
    .select(['products.id', ...columnsOf(onlyOfItem), 'certificate_id', 'image_id', 'confirmed_at'])
    .select((eb) => [
      eb.fn.coalesce('product_offers.price_cents', 'products.price_cents').as('price_cents'),
      eb.fn.coalesce('product_offers.is_available', 'products.is_available').as('is_available'),
    ])
    .where(sql<boolean>`products.id = ${pageIds(ids)}`)
    .execute()
}
export type ShownRow = Awaited<ReturnType<typeof shownProducts>>[number]

/** Number of items per category, and the oldest confirmation among them. */
export const menuCounts = (db: Db, businessId: string, locationId: string | null) =>
  db
    .selectFrom('products')
    .select((eb) => ['category_rank', eb.fn.countAll<number>().as('item_count'), eb.fn.min('confirmed_at').as('confirmed_at')])
    .where('business_id', '=', businessId)
    .where(isOfferedAt(locationId))
    .groupBy('category_rank')
    .orderBy('category_rank')
    .execute()

export async function itemCount(db: Db, businessId: string): Promise<number> {
  return countRows(db.selectFrom('products').where('business_id', '=', businessId))
}

/** Whether a person gets a business's subscriber prices: its subscribers, and if subscribing is free, people on plans that include them. */
export async function hasMemberPrices(db: Db, userId: string, businessId: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (
        select 1 from subscriptions where subscriptions.user_id = ${userId}::uuid and subscriptions.business_id = ${businessId}::uuid)
      or (${hasPlanWith('member_prices', sql`${userId}::uuid`, sql`${now}`)} and not ${asksPrice(sql`${businessId}::uuid`)}) as has`.execute(
    db,
  )
  return rows[0]?.has ?? false
}
