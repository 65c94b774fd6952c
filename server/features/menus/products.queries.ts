import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type EditorSort, type MenuSort, productCategories } from '#contracts/menu-fields.rules.ts'
import { type ProductCategory, type StrainType, shopperItemFields } from '#contracts/menu-fields.ts'
import type { Db } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { idsSubquery, pageIds } from '#server/db/page-ids.ts'
import { hasPlanWith, hasSubscriptionPrice } from '#server/features/billing/index.ts'
import { containsWord, searchWords } from '#server/features/businesses/index.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { decodeCursor } from '#server/kernel/keyset.ts'
import { columnsOf } from './menu-fields.ts'
import { type figureColumns, figuresAt, type VariantRow, variantsAt } from './variant-rows.queries.ts'

/** A position in a menu: the value it is sorted by, the item's name and ID. */
export type MenuKey = readonly [value: number, name: string, id: string]

export function decodeMenuCursor(cursor: string | undefined, sort: MenuSort | EditorSort = 'category'): MenuKey | null {
  const key = decodeCursor(cursor, [sort === 'potency' || sort === 'oldest' ? 'number' : 'integer', 'string', 'id'])
  if (key && sort === 'oldest' && Math.abs(key[0]) > 1e14) throw invalidField('cursor', 'Not valid')
  // A rank too large for `smallint` would cause a database error.
  if (key && sort === 'category' && productCategories[key[0]] === undefined) throw invalidField('cursor', 'Not valid')
  return key
}

export const keyOfItem = (row: { sort_value: number; sort_name: string; id: string }): MenuKey => [row.sort_value, row.sort_name, row.id]

export type MenuFilter = {
  category?: ProductCategory | undefined
  q?: string | undefined
  strainType?: StrainType | undefined
  inStock?: boolean | undefined
  isOut?: boolean | undefined
  hasNoCategory?: boolean | undefined
  confirmedBefore?: Date | undefined
  onSale?: boolean | undefined
  /** As entered: without tax if the menu adds it. */
  maxCents?: number | undefined
  minThc?: number | undefined
  sort?: MenuSort | EditorSort | undefined
}

/** Items without a category rank with "Other". */
const rankOf = (category: ProductCategory) => productCategories.indexOf(category)

type Figure = (typeof figureColumns)[number]

const figure = (name: Figure, locationId: string | null): RawBuilder<unknown> =>
  locationId === null
    ? sql`${sql.ref(`products.${name}`)}`
    : sql`case when here.product_id is null then ${sql.ref(`products.${name}`)} else ${sql.ref(`here.${name}`)} end`

/** Includes items that moderators hid. At a location, `here` has the figures of items that differ there. */
const withFigures = (db: Db, businessId: string, locationId: string | null, now: Date) =>
  db
    .selectFrom('products')
    .$if(locationId !== null, (query) =>
      query.leftJoin(sql<{ product_id: string }>`(${figuresAt(locationId as string, now)})`.as('here'), 'here.product_id', 'products.id'),
    )
    .where('business_id', '=', businessId)
    .where(isOfferedAt(locationId))

type PageOfMenu = {
  after: MenuKey | null
  limit: number
  now: Date
  location?: string | null
  /** Editors also see items that moderators hid. */
  isForEditors?: boolean
}

/**
 * Returns a page of item IDs with their sort keys. At a location, items are sorted by their prices there. Without one, each sort has an
 * index: `products_of_menu`, `products_by_price`, `products_by_eighth_price`, `products_by_gram_price`, `products_by_potency`,
 * `products_by_confirmation`.
 */
export function menuItemsPage(
  db: Db,
  businessId: string,
  { category, q, strainType, inStock, isOut, hasNoCategory, confirmedBefore, onSale, maxCents, minThc, sort = 'category' }: MenuFilter,
  { after, limit, now, location = null, isForEditors = false }: PageOfMenu,
) {
  const sorts: Record<MenuSort | EditorSort, RawBuilder<unknown>> = {
    category: sql`category_rank`,
    price: figure('low_price_cents', location),
    eighth: sql`coalesce(${figure('eighth_cents', location)}, 2147483647)`,
    price_per_gram: sql`coalesce(${figure('cents_per_gram', location)}, 2147483647)`,
    potency: sql`potency_order`,
    oldest: sql`confirmed_at`,
  }
  const value = sorts[sort]
  // The column has millisecond precision, so the cursor loses nothing.
  const shownValue = sort === 'oldest' ? sql<number>`(extract(epoch from confirmed_at) * 1000)::float8` : sql<number>`${value}`
  const start = sort === 'oldest' && after ? new Date(after[0]) : after?.[0]
  const type = sql.raw(sort === 'oldest' ? 'timestamptz' : sort === 'potency' ? 'float8' : sort === 'category' ? 'smallint' : 'integer')
  return (
    withFigures(db, businessId, location, now)
      .select(['products.id', shownValue.as('sort_value'), sql<string>`lower(name)`.as('sort_name')])
      .$if(!isForEditors, (query) => query.where('moderation', 'is', null))
      .$if(category !== undefined, (query) => query.where('category_rank', '=', rankOf(category as ProductCategory)))
      .$if(strainType !== undefined, (query) => query.where('strain_type', '=', strainType as StrainType))
      .$if(inStock === true, (query) => query.where(sql<boolean>`${figure('is_available', location)}`))
      .$if(isOut === true, (query) => query.where(sql<boolean>`not ${figure('is_available', location)}`))
      .$if(hasNoCategory === true, (query) => query.where('category', 'is', null))
      .$if(confirmedBefore !== undefined, (query) => query.where('confirmed_at', '<', confirmedBefore as Date))
      .$if(onSale === true, (query) => query.where(sql<boolean>`${figure('is_on_sale', location)}`))
      .$if(maxCents !== undefined, (query) => query.where(sql<boolean>`${figure('low_price_cents', location)} <= ${maxCents}::integer`))
      // Percentages are stored as negatives, so that the highest come first.
      .$if(minThc !== undefined, (query) => query.where(sql<boolean>`potency_order <= ${-(minThc ?? 0)}::float8`))
      .where((eb) => eb.and(searchWords(q ?? '').map((word) => containsWord(eb.ref('products.search_text'), word))))
      .$if(after !== null, (query) =>
        query.where(sql<boolean>`(${value}, lower(name), products.id) > (${start}::${type}, ${after?.[1]}, ${after?.[2]}::uuid)`),
      )
      .orderBy(value)
      .orderBy(sql`lower(name)`)
      .orderBy('products.id')
      .limit(limit)
  )
}

const maxItemsRead = 5000

/** Words of the menu's search texts. */
export async function menuWords(db: Db, businessId: string): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select distinct word from (
      select search_text from products where business_id = ${businessId}::uuid and moderation is null limit ${maxItemsRead}
    ) as items, string_to_table(replace(search_text, E'\n', ' '), ' ') as word
    where word <> ''`.execute(db)
  return rows.map(({ word }) => word)
}

/** Excludes items without a variant on this location's menu; null includes every item. */
const isOfferedAt = (locationId: string | null): Expression<SqlBool> =>
  locationId === null
    ? sql<SqlBool>`true`
    : sql<SqlBool>`products.id not in (
        select product_id from product_variants as missing join product_offers on variant_id = missing.id
        where location_id = ${locationId}::uuid and not is_offered
        group by product_id
        having count(*) = (select count(*) from product_variants where product_variants.product_id = missing.product_id))`

/**
 * Items as shoppers see them at a location (null: at no location in particular). Omits items that moderators hid or that aren't on its
 * menu.
 */
export async function shownProducts(db: Db, ids: readonly string[], locationId: string | null, now: Date) {
  if (ids.length === 0) return []
  const [items, { rows: variants }] = await Promise.all([
    db
      .selectFrom('products')
      .select(['id', 'business_id', ...columnsOf(shopperItemFields), 'certificate_id', 'image_id', 'confirmed_at'])
      .where(sql<boolean>`id = ${pageIds(ids)}`)
      .where('moderation', 'is', null)
      .execute(),
    sql<ShownVariant>`select * from (${variantsAt(locationId, now)}) as shown where product_id = ${pageIds(ids)} order by position`.execute(
      db,
    ),
  ])
  const byItem = Map.groupBy(variants, (variant) => variant.product_id)
  return items.flatMap((item) => {
    const [first, ...others] = byItem.get(item.id) ?? []
    return first ? [{ ...item, variants: [first, ...others] as const }] : []
  })
}
/** `sale_price_cents` is null unless it applies now. */
export type ShownVariant = Omit<VariantRow, 'sku' | 'external_id' | 'sale_starts_on'> & { product_id: string }
export type ShownRow = Awaited<ReturnType<typeof shownProducts>>[number]

export const businessOfProduct = (db: Db, id: string) =>
  db.selectFrom('products').select('business_id').where('id', '=', id).executeTakeFirst()

export const menuCounts = (db: Db, businessId: string, locationId: string | null, now: Date) =>
  withFigures(db, businessId, locationId, now)
    .select((eb) => [
      'category_rank',
      'strain_type',
      eb.fn.countAll<number>().as('item_count'),
      eb.fn.min('confirmed_at').as('confirmed_at'),
      sql<number>`count(*) filter (where ${figure('is_available', locationId)})`.as('in_stock_count'),
      sql<number>`count(*) filter (where ${figure('is_on_sale', locationId)})`.as('on_sale_count'),
    ])
    .where('moderation', 'is', null)
    .groupBy(['category_rank', 'strain_type'])
    .orderBy('category_rank')
    .execute()

export async function itemCount(db: Db, businessId: string): Promise<number> {
  return countRows(db.selectFrom('products').where('business_id', '=', businessId))
}

export const menuTotals = (db: Db, businessId: string) =>
  db
    .selectFrom('products')
    .select((eb) => [eb.fn.countAll<number>().as('item_count'), eb.fn.min('confirmed_at').as('confirmed_at')])
    .where('business_id', '=', businessId)
    .executeTakeFirstOrThrow()

export const hasMemberPrices = async (db: Db, userId: string, businessId: string, now: Date): Promise<boolean> =>
  (await memberPricesAt(db, userId, [businessId], now)).has(businessId)

/**
 * The businesses whose subscriber prices a person gets: as a subscriber or, where subscribing is free, through a plan that includes them.
 */
export async function memberPricesAt(db: Db, userId: string, businessIds: readonly string[], now: Date): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select shop.id from unnest(${idsSubquery(businessIds)}) as shop (id)
    where exists (select 1 from subscriptions where subscriptions.user_id = ${userId}::uuid and subscriptions.business_id = shop.id)
      or (${hasPlanWith('member_prices', sql`${userId}::uuid`, sql`${now}`)} and not ${hasSubscriptionPrice(sql`shop.id`)})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
