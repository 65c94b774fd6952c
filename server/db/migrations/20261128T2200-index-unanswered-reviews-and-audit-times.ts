import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Owners of several shops see this count for each one, and most reviews are answered or have no text.
  await sql`
    create index reviews_unanswered on reviews (business_id)
    where review is not null and reply is null and moderation is null`.execute(db)
  await sql`create index audit_log_by_time on audit_log (at)`.execute(db)
}
