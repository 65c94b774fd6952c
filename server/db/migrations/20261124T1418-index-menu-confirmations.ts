import { type Kysely, sql } from 'kysely'

/** For lists of businesses, which show how fresh each menu is: the oldest confirmation of a menu is one index entry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index products_by_confirmation on products (business_id, confirmed_at)`.execute(db)
}
