import { type Kysely, sql } from 'kysely'

/** For the search across menus, which sorts and filters the items of all shops near a place without reading their rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index products_in_shops on products (business_id, id)
      include (low_price_cents, cents_per_gram, potency_order, category_rank, strain_type, is_available, is_on_sale, confirmed_at)
      where moderation is null`.execute(db)
}
