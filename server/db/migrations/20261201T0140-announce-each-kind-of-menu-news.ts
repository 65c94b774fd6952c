import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The default remains, because servers of the previous version leave the type out.
  await sql`
    alter table menu_announcements
      add column type text not null default 'new_product' check (type in ('new_product', 'product_update')),
      drop constraint menu_announcements_pkey,
      add primary key (business_id, day, type)`.execute(db)
}
