import { type RawBuilder, type Selectable, sql } from 'kysely'
import { fluidCategories, gramsInOunce } from '#contracts/menu-fields.rules.ts'
import { menuFields, variantFieldKeys } from '#contracts/menu-fields.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { idsOf, pageIds } from '#server/db/page-ids.ts'
import { columnsOf, sqlTypes, storedFields } from './menu-fields.ts'

/** `external_id` is the point of sale's own ID, unique within the item. */
export const variantColumns = [...columnsOf(variantFieldKeys), 'external_id'] as const
export type VariantRow = Pick<Selectable<DB['product_variants']>, (typeof variantColumns)[number] | 'id'>

type Item = { id: string; variants: readonly VariantRow[] }
type CategorizedItem = Item & { category: string | null }

const columnList = sql.raw(variantColumns.join(', '))
const recordType = sql.raw(
  [
    'id uuid',
    'product_id uuid',
    'position smallint',
    ...variantFieldKeys.map((key) => `${storedFields[key].column} ${sqlTypes[menuFields[key].kind]}`),
    'external_id text',
  ].join(', '),
)

/** Replaces lone surrogates, which PostgreSQL's JSON rejects, with the replacement character, as in all other text. */
export const toJson = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value))

const toRecords = (items: readonly Item[]) =>
  toJson(items.flatMap(({ id, variants }) => variants.map((variant, position) => ({ ...variant, product_id: id, position }))))

/** Changing one of these also confirms the item. */
const confirmedColumns = [
  'price_cents',
  'sale_price_cents',
  'sale_starts_on',
  'sale_ends_on',
  'member_price_cents',
  'stock',
  'is_available',
] as const

/** Items whose prices or availability these variants change. */
export async function repriced(db: Db, items: readonly Item[]): Promise<string[]> {
  const all = (table: string) => sql.raw(confirmedColumns.map((name) => `${table}.${name}`).join())
  const { rows } = await sql<{ product_id: string }>`
    select distinct row.product_id from json_to_recordset(${toRecords(items)}::json) as row (${recordType})
      left join product_variants as known on known.id = row.id
    where (${all('row')}) is distinct from (${all('known')})`.execute(db)
  return rows.map((row) => row.product_id)
}

/** Stores these items' variants in order and deletes their other variants. Keeps the offers of stored variants. */
export async function writeVariants(tx: Tx, businessId: string, items: readonly Item[]): Promise<void> {
  const kept = items.flatMap(({ variants }) => idsOf(variants))
  await sql`
    delete from product_variants
    where product_id = any(${idsOf(items)}::uuid[]) and not (id = any(${kept}::uuid[]))`.execute(tx)
  const written = ['position', ...variantColumns]
  const all = (table: string) => sql.raw(written.map((name) => `${table}.${name}`).join())
  await sql`
    insert into product_variants (id, product_id, business_id, position, ${columnList})
    select id, product_id, ${businessId}::uuid, position, ${columnList}
    from json_to_recordset(${toRecords(items)}::json) as row (${recordType})
    on conflict (id) do update set ${sql.raw(written.map((name) => `${name} = excluded.${name}`).join())}
    where product_variants.product_id = excluded.product_id and (${all('product_variants')}) is distinct from (${all('excluded')})`.execute(
    tx,
  )
}

export async function variantsOf(db: Db, productIds: readonly string[]): Promise<Map<string, VariantRow[]>> {
  const rows = await db
    .selectFrom('product_variants')
    .select(['id', 'product_id', ...variantColumns])
    .where(sql<boolean>`product_id = ${pageIds(productIds)}`)
    .orderBy('product_id')
    .orderBy('position')
    .execute()
  const byItem = new Map<string, VariantRow[]>()
  for (const { product_id, ...variant } of rows) {
    const list = byItem.get(product_id)
    if (list) list.push(variant)
    else byItem.set(product_id, [variant])
  }
  return byItem
}

export async function takenSkus(db: Db, businessId: string, skus: readonly string[], exceptItems: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('product_variants')
    .select('sku')
    .where('business_id', '=', businessId)
    .where(sql<boolean>`sku = any(${skus}::text[])`)
    .where(sql<boolean>`product_id <> all(${exceptItems}::uuid[])`)
    .execute()
  return new Set(rows.flatMap((row) => row.sku ?? []))
}

const isInStock = sql`is_available and coalesce(stock > 0, true)`

/** The time zone of a business's main location, which has a row if any of its sales has a period. */
const zoneOf = (businessId: RawBuilder<unknown>) =>
  sql`coalesce((select time_zone from locations where locations.id = ${businessId}), 'UTC')`

export async function dayAt(db: Db, businessId: string, now: Date): Promise<string> {
  const { rows } = await sql<{
    day: string
  }>`select (${now}::timestamptz at time zone ${zoneOf(sql`${businessId}::uuid`)})::date as day`.execute(db)
  return (rows[0] as { day: string }).day
}

/** The last day of a sale is included. */
export const isSaleOn = (
  { sale_starts_on: first, sale_ends_on: last }: Pick<VariantRow, 'sale_starts_on' | 'sale_ends_on'>,
  day: string,
): boolean => (first === null || first <= day) && (last === null || day <= last)

const isInPeriod = (businessId: RawBuilder<unknown>, now: Date) => sql`case when sale_starts_on is null and sale_ends_on is null then true
  else (${now}::timestamptz at time zone ${zoneOf(businessId)})::date
    between coalesce(sale_starts_on, '-infinity') and coalesce(sale_ends_on, 'infinity') end`

/** The sale price that applies now: within its period, and below the price. */
export const saleNow = (businessId: RawBuilder<unknown>, now: Date): RawBuilder<number | null> =>
  sql`case when sale_price_cents < price_cents and ${isInPeriod(businessId, now)} then sale_price_cents end`

/** When the sale of a variant next starts or ends; null if it won't. */
function nextTurn(businessId: RawBuilder<unknown>, now: Date): RawBuilder<Date | null> {
  const starts = sql`sale_starts_on::timestamp at time zone ${zoneOf(businessId)}`
  const ends = sql`(sale_ends_on + 1)::timestamp at time zone ${zoneOf(businessId)}`
  const ahead = (turn: RawBuilder<unknown>) => sql`case when ${turn} > ${now}::timestamptz then ${turn} end`
  return sql`case when sale_starts_on is not null or sale_ends_on is not null then least(${ahead(starts)}, ${ahead(ends)}) end`
}

/**
 * Variants with their prices and availability at a location (null: in general). Omits variants that aren't on the location's menu. A
 * location's price replaces both the price and the sale price; sale periods are the same at all locations. Stock is counted at the main
 * location, which has the ID of the business.
 */
export const variantsAt = (locationId: string | null, now: Date): RawBuilder<unknown> =>
  locationId === null
    ? sql`
      select id, product_id, position, weight, weight_unit, price_cents, ${saleNow(sql`product_variants.business_id`, now)} as sale_price_cents, sale_ends_on,
        member_price_cents, batch, stock, ${isInStock} as is_available, ${nextTurn(sql`product_variants.business_id`, now)} as sale_changes_at
      from product_variants`
    : sql`
      select id, product_id, position, weight, weight_unit, price_cents, ${saleNow(sql`offered.business_id`, now)} as sale_price_cents, sale_ends_on,
        member_price_cents, batch, stock, is_available, null::timestamptz as sale_changes_at
      from (
        select variant.id, product_id, business_id, position, weight, weight_unit, sale_starts_on, sale_ends_on, member_price_cents, batch,
          case when business_id = ${locationId}::uuid then stock end as stock,
          coalesce(offer.price_cents, variant.price_cents) as price_cents,
          case when offer.price_cents is null then coalesce(offer.sale_price_cents, variant.sale_price_cents)
            else offer.sale_price_cents end as sale_price_cents,
          coalesce(offer.is_available, variant.is_available and coalesce(stock > 0, true)) as is_available
        from product_variants as variant
          left join product_offers as offer on offer.variant_id = variant.id and offer.location_id = ${locationId}::uuid
        where offer.is_offered is distinct from false
      ) as offered`

/** SQL: an item's ounces are fluid ounces. */
export const isFluid = sql<boolean>`(coalesce(products.category, '') in (${sql.join(fluidCategories.map((each) => sql.lit(each)))}))`

/** SQL: a variant's weight in grams; null for pieces and volumes. */
export const gramsOf = (isFluidHere: RawBuilder<unknown>): RawBuilder<number> =>
  sql`nullif(weight * case when weight_unit = 'g' then 1 when weight_unit = 'oz' and not ${isFluidHere} then ${sql.lit(gramsInOunce)} end, 0)`

/** An eighth of an ounce as sold. */
const eighthGrams = sql.lit(3.5)

/** Menus are sorted and filtered by these columns, as of the item's last change or `sale_changes_at`: see menus.jobs.ts. */
export const figureColumns = ['low_price_cents', 'eighth_cents', 'cents_per_gram', 'is_available', 'is_on_sale', 'sale_changes_at'] as const

/** The figures of items, computed from rows like those of `variantsAt` with `is_fluid`. */
const figuresOf = (variants: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select product_id, bool_or(is_available) as is_available, bool_or(is_available and is_sale) as is_on_sale,
    coalesce(min(paid) filter (where is_available), min(paid)) as low_price_cents,
    coalesce(min(paid) filter (where is_available and grams = ${eighthGrams}), min(paid) filter (where grams = ${eighthGrams})) as eighth_cents,
    round(least(coalesce(min(paid_per_gram) filter (where is_available), min(paid_per_gram)), 2147483646))::integer as cents_per_gram,
    min(sale_changes_at) as sale_changes_at
  from (
    select product_id, is_available, sale_changes_at, sale_price_cents is not null as is_sale, coalesce(sale_price_cents, price_cents) as paid,
      grams, coalesce(sale_price_cents, price_cents) / grams as paid_per_gram
    from (select *, ${gramsOf(sql`is_fluid`)} as grams from (${variants}) as shown) as weighed
  ) as priced group by product_id`

export const figuresToWrite = (businessId: string, items: readonly CategorizedItem[], now: Date): RawBuilder<unknown> => {
  const business = sql`${businessId}::uuid`
  const fluid = items.filter(({ category }) => category !== null && fluidCategories.includes(category))
  return figuresOf(sql`
    select product_id, weight, weight_unit, price_cents, ${saleNow(business, now)} as sale_price_cents, ${isInStock} as is_available,
      ${nextTurn(business, now)} as sale_changes_at, product_id = any(${idsOf(fluid)}::uuid[]) as is_fluid
    from json_to_recordset(${toRecords(items)}::json) as row (${recordType})`)
}

export const figuresAt = (locationId: string, now: Date): RawBuilder<unknown> =>
  figuresOf(sql`
    select shown.*, ${isFluid} as is_fluid from (${variantsAt(locationId, now)}) as shown join products on products.id = shown.product_id
    where shown.product_id in (
      select product_id from product_offers join product_variants on product_variants.id = variant_id where location_id = ${locationId}::uuid)`)

/** Must follow every write of variants that doesn't write the figures itself. */
export async function refreshFigures(tx: Tx, productIds: readonly string[], now: Date): Promise<void> {
  const all = (table: string) => sql.raw(figureColumns.map((name) => `${table}.${name}`).join())
  const figures = figuresOf(sql`
    select shown.*, ${isFluid} as is_fluid from (${variantsAt(null, now)}) as shown join products on products.id = shown.product_id
    where shown.product_id = any(${productIds}::uuid[])`)
  await sql`
    update products set ${sql.raw(figureColumns.map((name) => `${name} = figures.${name}`).join(', '))}
    from (${figures}) as figures
    where products.id = figures.product_id and (${all('products')}) is distinct from (${all('figures')})`.execute(tx)
}
