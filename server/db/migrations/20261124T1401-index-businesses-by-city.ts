import { type Kysely, sql } from 'kysely'

/** For the pages of states and cities, and for their counts, which read only the index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index businesses_by_city on businesses (state, city, type)
    where moderation is null and license_standing = 'listed'`.execute(db)
}
