import { type Kysely, sql } from 'kysely'

/** Unread notifications are deleted after a year. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index notifications_unread_by_age on notifications (created_at) where not is_read`.execute(db)
}
