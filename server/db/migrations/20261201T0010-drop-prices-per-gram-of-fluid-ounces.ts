import { type Kysely, sql } from 'kysely'

/** Fluid ounces of drinks and tinctures counted as a weight, so they came first when sorted by price per gram. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update products set cents_per_gram = (
      select least(min(coalesce(sale_price_cents, price_cents) / weight), 2147483646)::integer
      from product_variants where product_id = products.id and weight_unit = 'g' and weight > 0)
    where category in ('Drinks', 'Tinctures')
      and exists (select from product_variants where product_id = products.id and weight_unit = 'oz')`.execute(db)
}
