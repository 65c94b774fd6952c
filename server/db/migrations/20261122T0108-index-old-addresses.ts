import { type Kysely, sql } from 'kysely'

/** Every registration checks whether a person may still reclaim the address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index email_changes_of_old_address on email_changes (old_email, confirmed_at) where confirmed_at is not null`.execute(db)
}
