import { type Kysely, sql } from 'kysely'

/** The price of an item's eighth (3.5 g), for sorting: see server/features/menus/variant-rows.queries.ts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table products add column eighth_cents integer`.execute(db)
  await sql`
    update products set eighth_cents = eighths.cents from (
      select product_id, coalesce(min(paid) filter (where is_in_stock), min(paid)) as cents
      from (
        select product_id, is_available and coalesce(stock > 0, true) as is_in_stock,
          case when sale_price_cents < price_cents then sale_price_cents else price_cents end as paid
        from product_variants where weight * case weight_unit when 'g' then 1 when 'oz' then 28 end = 3.5
      ) as variants group by product_id
    ) as eighths where products.id = eighths.product_id`.execute(db)
  await sql`create index products_by_eighth_price on products (business_id, coalesce(eighth_cents, 2147483647), lower(name), id)`.execute(
    db,
  )
}
