import { type Kysely, sql } from 'kysely'

/**
 * The first and last day of a sale, by the calendar of the business's main location. `sale_changes_at` is when a sale of the item next
 * starts or ends, which changes its stored figures: see server/features/menus/variant-rows.queries.ts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table product_variants
      add column sale_starts_on date,
      add column sale_ends_on date,
      add constraint sales_have_a_price check (sale_price_cents is not null or (sale_starts_on is null and sale_ends_on is null)),
      add constraint sales_end_after_they_start check (sale_ends_on >= sale_starts_on)`.execute(db)
  await sql`alter table products add column sale_changes_at timestamptz(3)`.execute(db)
  await sql`create index products_by_sale_change on products (sale_changes_at, id) where sale_changes_at is not null`.execute(db)
}
