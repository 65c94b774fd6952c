import { type Kysely, sql } from 'kysely'

/** Content that is already gone no longer tells its business. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update moderation_cases set business_id = subject_id where subject = 'business' and business_id is null`.execute(db)
  for (const [subject, table] of [
    ['post', 'posts'],
    ['comment', 'comments'],
    ['review', 'reviews'],
    ['event', 'events'],
    ['gallery_item', 'gallery_items'],
    ['product', 'products'],
  ] as const) {
    await sql`
      update moderation_cases set business_id = found.business_id from ${sql.table(table)} found
      where subject = ${subject} and found.id = subject_id and moderation_cases.business_id is null and found.business_id is not null`.execute(
      db,
    )
  }
  await sql`
    update moderation_cases set business_id = messages.business_id from messages
    where subject = 'message' and messages.id = subject_id and moderation_cases.business_id is null and is_from_business`.execute(db)
}
