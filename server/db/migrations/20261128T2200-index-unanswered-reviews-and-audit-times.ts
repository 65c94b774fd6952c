import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // An owner of many shops counts these for each of them, and most reviews are answered or have no words.
  await sql`
    create index reviews_unanswered on reviews (business_id)
    where review is not null and reply is null and moderation is null`.execute(db)
  await sql`create index audit_log_by_time on audit_log (at)`.execute(db)
}
