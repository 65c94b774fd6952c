import { expressionBuilder, type RawBuilder, sql } from 'kysely'
import { type ProductSort, productCategories, strainTypes } from '#contracts/menu-fields.rules.ts'
import type { ProductCategory, StrainType } from '#contracts/menu-fields.ts'
import type { DB, Db } from '#server/db/connect.ts'
import { type Area, distanceOrFarthest, isInArea, isOpenAt, searchWords } from '#server/features/businesses/index.ts'
import { type Jurisdiction, placesWithDeals } from '#server/features/jurisdictions/index.ts'
import { gramsOf, isFluid, saleNow, shownCentsInSql } from '#server/features/menus/index.ts'
import { noBlockWithBusiness } from '#server/features/people/index.ts'
import { readerOf, type Viewer } from '#server/features/posts/index.ts'
import type { CursorKey } from '#server/kernel/keyset.ts'

export type ProductSearch = {
  words: readonly QueryWord[]
  area: Area
  category: ProductCategory | null
  strainType: StrainType | null
  /** The most that a shopper wants to pay, with tax if the menu's rate is known. */
  maxCents: number | null
  minCents: number | null
  /** Both prices are per gram. */
  isPerGram: boolean
  inStock: boolean
  onSale: boolean
  isOpen: boolean
  /** The time of the first page: later pages must agree on what is open and fresh. */
  now: Date
  freshSince: Date
}

/** Parts of a cursor: the time of the first page, the tier (`tierOf`), the sort value, the shop's distance and trust, and the ID. */
export const positionKinds = ['time', 'integer', 'number', 'number', 'integer', 'id'] as const
type Position = CursorKey<typeof positionKinds>

export type FoundRow = {
  id: string
  business_id: string
  tier: number
  value: number
  distance: number
  distrust: number
  is_deal: boolean
}

/** Items that a shop shows in each of its turns, so that the nearest menu doesn't fill the first pages. */
const itemsPerTurn = 3
const noWeight = 2_147_483_647

type Page = { sort: ProductSort; after: Position | null; limit: number }

/**
 * One page of items near a place. Finds the shops in the area first (`businesses_by_pin`), then each one's items (`products_in_shops`):
 * even a big city has only a few hundred shops, but a common word is on most menus in the country.
 */
export async function productsNear(db: Db, viewer: Viewer, search: ProductSearch, page: Page): Promise<FoundRow[]> {
  const isFirstTurn = page.after === null || (page.after[1] === 0 && page.after[2] === 0)
  if (page.sort === 'nearest' && isFirstTurn && search.area.radiusMiles !== null) {
    const nearest = await firstTurnNear(db, viewer, search, page)
    if (nearest.length === page.limit) return nearest
  }
  const { rows } = await sql<FoundRow>`
    with shops as materialized (${shopsNear(viewer, search, { hasTax: needsTax(search, page.sort) })})
    ${itemsOf(search, page, sql`true`)}`.execute(db)
  return rows
}

const shopsPerItem = 3

/**
 * Items in stock that were recently confirmed and match all words by name, category or strain type, from the first turn of the nearest
 * shops: farther shops can only add items after these. Stops where more shops would have to be read, so it may return too few.
 */
async function firstTurnNear(db: Db, viewer: Viewer, search: ProductSearch, page: Page): Promise<FoundRow[]> {
  const shopLimit = page.limit * shopsPerItem
  const { rows } = await sql<FoundRow>`
    with near as (${shopsNear(viewer, search, { hasTax: needsTax(search, page.sort) })}),
    shops as materialized (
      -- Most listings have no menu. The offsets make PostgreSQL check shop by shop, nearest first, until it has found enough.
      select * from (select * from near where distance >= ${page.after?.[3] ?? 0}::float8 order by distance offset 0) as nearest
      where exists (select from products where products.business_id = nearest.business_id and products.moderation is null offset 0)
      order by distance limit ${shopLimit}),
    horizon as materialized (
      select case when count(*) < ${shopLimit} then 'infinity'::float8 else max(distance) end as distance from shops)
    ${itemsOf(search, page, sql`tier = 0 and value = 0 and distance < (select horizon.distance from horizon)`)}`.execute(db)
  return rows
}

function itemsOf(search: ProductSearch, { sort, after, limit }: Page, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const order = sql`tier, value, distance, distrust, id`
  const isAfter = after
    ? sql`(${order}) > (${after[1]}::integer, ${after[2]}::float8, ${after[3]}::float8, ${after[4]}::integer, ${after[5]}::uuid)`
    : sql`true`
  return sql`
    select id, business_id, tier, value, distance, distrust, is_deal
    from (
      select *, ${measureOf(sort)}::float8 as value
      from (
        select shops.*, item.*, has_deals and is_on_sale as is_deal
        from shops cross join lateral (
          select id, is_on_sale, potency_order, ${shown('low_price_cents')} as price, ${shown('cents_per_gram')} as price_per_gram,
            ${tierOf(search, sort)} as tier
          from products where ${isWanted(search)}
          -- Keeps the planner from starting with the items.
          offset 0
        ) as item
      ) as found
    ) as measured
    where ${condition} and ${isAfter}
    order by ${order}
    limit ${limit}`
}

const needsTax = ({ maxCents, minCents }: ProductSearch, sort?: ProductSort) =>
  maxCents !== null || minCents !== null || sort === 'price' || sort === 'price_per_gram'

export async function countNear(db: Db, viewer: Viewer, search: ProductSearch): Promise<{ items: number; shops: number }> {
  const { rows } = await sql<{ items: number; shops: number }>`
    with shops as materialized (${shopsNear(viewer, search, { hasTax: needsTax(search) })})
    select coalesce(sum(items), 0)::integer as items, (count(*) filter (where items > 0))::integer as shops
    from shops cross join lateral (select count(*) as items from products where ${isWanted(search)}) as item`.execute(db)
  return rows[0] ?? { items: 0, shops: 0 }
}

/** Jurisdictions with matching items that only the viewer's age hides. */
export async function placesTooYoungFor(db: Db, viewer: Viewer, search: ProductSearch): Promise<Jurisdiction[]> {
  const { rows } = await sql<Jurisdiction>`
    with shops as materialized (${shopsNear(viewer, search, { hasTax: needsTax(search), isTooYoung: true })})
    select distinct country, state from shops where exists (select from products where ${isWanted(search)})`.execute(db)
  return rows
}

type ShopsOptions = {
  /** Includes the tax that a menu adds to its prices, which takes one more read per shop. */
  hasTax: boolean
  isTooYoung?: boolean
}

/**
 * Shops that are in business, not known to lack an active license, and not separated from the viewer by a block. Includes only shops
 * that the viewer is old enough for or, with `isTooYoung`, only those that the viewer is too young for.
 */
function shopsNear(
  viewer: Viewer,
  { area, isOpen, onSale, now }: ProductSearch,
  { hasTax, isTooYoung = false }: ShopsOptions,
): RawBuilder<unknown> {
  const place = sql`(businesses.country || ' ' || coalesce(businesses.state, ''))`
  const hasDeals = sql`coalesce(${place} = any(${placesWithDeals}::text[]), false)`
  return sql`
    select businesses.id as business_id, businesses.country, businesses.state, -license_trust as distrust,
      ${distanceOrFarthest(area.radiusMiles === null ? null : area.center)} as distance, ${hasDeals} as has_deals,
      ${hasTax ? sql`case when prices_include_tax then null else tax_rate end` : sql`null::integer`} as added_tax
    from businesses ${hasTax ? sql`left join menu_settings on menu_settings.business_id = businesses.id` : sql``}
    where businesses.moderation is null and closure is null and license_standing not in ('inactive', 'missing')
      and ${isInArea(area)}
      and coalesce(${readerOf(viewer).isOfAge}, false) = ${!isTooYoung}
      and ${noBlockWithBusiness(viewer.id, 'businesses.id')}
      and ${isOpen ? isOpenAt(expressionBuilder<DB, 'businesses'>(), now) : sql`true`}
      and ${onSale ? hasDeals : sql`true`}`
}

function isWanted(search: ProductSearch): RawBuilder<unknown> {
  const { words, category, strainType, maxCents, minCents, isPerGram, inStock, onSale } = search
  const conditions = [
    sql`products.business_id = shops.business_id and products.moderation is null`,
    ...words.map((word) => matches(sql`products.search_start`, word)),
    ...(category === null ? [] : [sql`category_rank = ${productCategories.indexOf(category)}::smallint`]),
    ...(strainType === null ? [] : [sql`strain_type = ${strainType}`]),
    ...(maxCents === null || isPerGram ? [] : [sql`${shown('low_price_cents')} <= ${maxCents}::integer`]),
    ...(minCents === null && !(isPerGram && maxCents !== null) ? [] : [hasVariantInRange(search)]),
    ...(inStock ? [sql`is_available`] : []),
    ...(onSale ? [sql`is_on_sale`] : []),
  ]
  return sql.join(conditions, sql` and `)
}

/** An item's figures have only its lowest prices, so a range needs its variants. */
function hasVariantInRange({ maxCents, minCents, isPerGram, inStock, onSale, now }: ProductSearch): RawBuilder<unknown> {
  const sale = saleNow(sql`products.business_id`, now)
  const paid = shownCentsInSql(sql`coalesce(${sale}, price_cents)`, sql`shops.added_tax`)
  const measured = isPerGram ? sql`(${paid} / ${gramsOf(isFluid)})` : paid
  const conditions = [
    sql`product_id = products.id`,
    ...(inStock ? [sql`is_available and coalesce(stock, 1) > 0`] : []),
    ...(onSale ? [sql`${sale} is not null`] : []),
    ...(minCents === null ? [] : [sql`${measured} >= ${minCents}::integer`]),
    // Prices per gram aren't whole cents.
    ...(maxCents === null ? [] : [sql`${measured} < ${maxCents + 1}::integer`]),
  ]
  return sql`exists (select from product_variants where ${sql.join(conditions, sql` and `)})`
}

/** Several times as fast as `like` on the many items of a big city. */
const contains = (text: RawBuilder<string>, word: string) => sql`strpos(${text}, ${word}) > 0`

/** Whether a word is in the text of an item, or names its category or strain type. */
function matches(itemText: RawBuilder<string>, { text, categories, strainType }: QueryWord): RawBuilder<unknown> {
  const ranks = categories.map((category) => productCategories.indexOf(category))
  const ways = [
    contains(itemText, text),
    ...(ranks.length > 0 ? [sql`category_rank = any(${ranks}::smallint[])`] : []),
    ...(strainType ? [sql`strain_type = ${strainType}`] : []),
  ]
  return sql`(${sql.join(ways, sql` or `)})`
}

/**
 * In stock before out of stock; then, if sorted by distance, items that match all words by name, category or strain type; then recently
 * confirmed ones.
 */
function tierOf({ words, freshSince }: ProductSearch, sort: ProductSort): RawBuilder<number> {
  const name = sql<string>`split_part(products.search_start, chr(10), 1)`
  const isNamedSo =
    sort === 'nearest' && words.length > 0
      ? sql.join(
          words.map((word) => matches(name, word)),
          sql` and `,
        )
      : sql`true`
  return sql<number>`((not is_available)::integer * 4 + (not (${isNamedSo}))::integer * 2 + (confirmed_at < ${freshSince}::timestamptz)::integer)`
}

function measureOf(sort: ProductSort): RawBuilder<unknown> {
  if (sort === 'price') return sql`price`
  if (sort === 'price_per_gram') return sql`coalesce(price_per_gram, ${sql.lit(noWeight)})`
  if (sort === 'potency') return sql`potency_order`
  // Ordered by ID, so that newer items never move older ones to another turn, where a page could skip or repeat them.
  return sql`((row_number() over (partition by business_id, tier order by id) - 1) / ${sql.lit(itemsPerTurn)})`
}

const shown = (column: 'low_price_cents' | 'cents_per_gram') => shownCentsInSql(sql.ref(`products.${column}`), sql`shops.added_tax`)

/** The city where a person's searches start, as they entered it. */
export const homeOf = async (db: Db, userId: string): Promise<string | null> => {
  const person = await db.selectFrom('users').select('location').where('id', '=', userId).executeTakeFirst()
  return person?.location ?? null
}

/** A word that items must match in their text, or in a category or strain type that the word names. */
type QueryWord = { text: string; categories: readonly ProductCategory[]; strainType: StrainType | null }

/** "Seeds & Clones" → "seeds", "clones"; "Pre-Rolls" → "pre-rolls", "prerolls", "rolls". */
const namesOf = (category: ProductCategory): string[] => {
  const words = category.toLowerCase().split(/[\s&]+/)
  return words.flatMap((word) => (word.includes('-') ? [word, word.replaceAll('-', ''), ...word.split('-').slice(1)] : [word]))
}

/** "Other" is a category, but no one looks for it by that word. */
const named = productCategories.filter((category) => category !== 'Other').map((category) => ({ category, names: namesOf(category) }))

/** "edible gummies" → "edible", which also names Edibles, and "gummies". In "pre roll", both words name Pre-Rolls. */
export const queryWords = (text: string): QueryWord[] =>
  searchWords(text).map((word, i, words) => {
    const spellings = [word, `${word}-${words[i + 1]}`].flatMap((spelling) => [spelling, `${spelling}s`])
    return {
      text: word,
      categories: named.filter(({ names }) => spellings.some((spelling) => names.includes(spelling))).map(({ category }) => category),
      strainType: strainTypes.find((type) => type === word) ?? null,
    }
  })
