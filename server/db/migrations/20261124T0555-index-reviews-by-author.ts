import { type Kysely, sql } from 'kysely'

/** For the list on a person's profile, newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index reviews_of_author on reviews (user_id, created_at desc, id desc)`.execute(db)
  await sql`drop index reviews_of_user`.execute(db)
}
