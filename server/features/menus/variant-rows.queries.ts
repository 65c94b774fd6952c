import { type RawBuilder, type Selectable, sql } from 'kysely'
import { menuFields, variantFieldKeys } from '#contracts/menu-fields.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { idsOf, pageIds } from '#server/db/page-ids.ts'
import { columnsOf, sqlTypes, storedFields } from './menu-fields.ts'

/** `external_id` is the ID in the point of sale, unique within the item. */
export const variantColumns = [...columnsOf(variantFieldKeys), 'external_id'] as const
/** A weight or pack of an item. */
export type VariantRow = Pick<Selectable<DB['product_variants']>, (typeof variantColumns)[number] | 'id'>

type Item = { id: string; variants: readonly VariantRow[] }

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

/** Writing another value here also confirms the item. */
const confirmedColumns = ['price_cents', 'sale_price_cents', 'member_price_cents', 'stock', 'is_available'] as const

/** Items whose prices or availability these variants change. */
export async function repriced(db: Db, items: readonly Item[]): Promise<string[]> {
  const all = (table: string) => sql.raw(confirmedColumns.map((name) => `${table}.${name}`).join())
  const { rows } = await sql<{ product_id: string }>`
    select distinct row.product_id from json_to_recordset(${toRecords(items)}::json) as row (${recordType})
      left join product_variants as known on known.id = row.id
    where (${all('row')}) is distinct from (${all('known')})`.execute(db)
  return rows.map((row) => row.product_id)
}

/** Stores these items' variants in order and deletes their other variants. Offers of a stored variant stay. */
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

/** The variants of each item, in order. */
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

/** SKUs of this menu's other items. */
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

/** A sale price counts only if it is below the price. */
const sale = sql`case when sale_price_cents < price_cents then sale_price_cents end`

/**
 * Variants with the prices and availability of a location, or those for all locations; without variants that aren't on the location's
 * menu. A price of the location replaces both prices.
 */
export const variantsAt = (locationId: string | null): RawBuilder<unknown> =>
  locationId === null
    ? sql`
      select id, product_id, position, weight, weight_unit, price_cents, ${sale} as sale_price_cents, member_price_cents, batch, stock,
        ${isInStock} as is_available
      from product_variants`
    : sql`
      select id, product_id, position, weight, weight_unit, price_cents, ${sale} as sale_price_cents, member_price_cents, batch, stock,
        is_available
      from (
        select variant.id, product_id, position, weight, weight_unit, member_price_cents, batch, stock,
          coalesce(offer.price_cents, variant.price_cents) as price_cents,
          case when offer.price_cents is null then coalesce(offer.sale_price_cents, variant.sale_price_cents)
            else offer.sale_price_cents end as sale_price_cents,
          coalesce(offer.is_available, variant.is_available and coalesce(stock > 0, true)) as is_available
        from product_variants as variant
          left join product_offers as offer on offer.variant_id = variant.id and offer.location_id = ${locationId}::uuid
        where offer.is_offered is distinct from false
      ) as offered`

/** Grams of a weight; an ounce is sold as 28. */
const grams = sql`nullif(weight * case weight_unit when 'g' then 1 when 'oz' then 28 end, 0)`

/** An eighth of an ounce as sold. */
const eighthGrams = sql.lit(3.5)

/** Menus are sorted and filtered by these columns. */
export const figureColumns = ['low_price_cents', 'eighth_cents', 'cents_per_gram', 'is_available', 'is_on_sale'] as const

/** The figures of items, computed from rows like those of `variantsAt`. */
const figuresOf = (variants: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select product_id, bool_or(is_available) as is_available, bool_or(is_available and is_sale) as is_on_sale,
    coalesce(min(paid) filter (where is_available), min(paid)) as low_price_cents,
    coalesce(min(paid) filter (where is_available and grams = ${eighthGrams}), min(paid) filter (where grams = ${eighthGrams})) as eighth_cents,
    round(least(coalesce(min(paid_per_gram) filter (where is_available), min(paid_per_gram)), 2147483646))::integer as cents_per_gram
  from (
    select product_id, is_available, sale_price_cents is not null as is_sale, coalesce(sale_price_cents, price_cents) as paid,
      ${grams} as grams, coalesce(sale_price_cents, price_cents) / ${grams} as paid_per_gram
    from (${variants}) as shown
  ) as priced group by product_id`

/** The figures that these items will have. */
export const figuresToWrite = (items: readonly Item[]): RawBuilder<unknown> =>
  figuresOf(sql`
    select product_id, weight, weight_unit, price_cents, ${sale} as sale_price_cents, ${isInStock} as is_available
    from json_to_recordset(${toRecords(items)}::json) as row (${recordType})`)

/** The figures at a location of items that have offers there. */
export const figuresAt = (locationId: string): RawBuilder<unknown> =>
  figuresOf(sql`
    select * from (${variantsAt(locationId)}) as shown where product_id in (
      select product_id from product_offers join product_variants on product_variants.id = variant_id where location_id = ${locationId}::uuid)`)

/** Must follow every write of variants that doesn't write the figures itself. */
export async function refreshFigures(tx: Tx, productIds: readonly string[]): Promise<void> {
  await sql`
    update products set ${sql.raw(figureColumns.map((name) => `${name} = figures.${name}`).join(', '))}
    from (${figuresOf(sql`select * from (${variantsAt(null)}) as shown where product_id = any(${productIds}::uuid[])`)}) as figures
    where products.id = figures.product_id`.execute(tx)
}
