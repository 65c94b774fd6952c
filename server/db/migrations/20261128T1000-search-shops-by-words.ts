import { type Kysely, sql } from 'kysely'

/**
 * Lets the search across menus also find words without reading rows. An index entry holds at most 2.7 KB and the whole text may be
 * longer, because it ends with up to 50 SKUs; what shoppers look for is at its start.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table products add column search_start text not null generated always as (left(search_text, 500)) stored`.execute(db)
  await sql`drop index products_in_shops`.execute(db)
  await sql`
    create index products_in_shops on products (business_id, id)
      include (low_price_cents, cents_per_gram, potency_order, category_rank, strain_type, is_available, is_on_sale, confirmed_at,
        search_start)
      where moderation is null`.execute(db)
}
