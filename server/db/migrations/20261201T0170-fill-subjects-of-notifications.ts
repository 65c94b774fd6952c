import { type Kysely, sql } from 'kysely'

/** Until now, only `group_key` contained the subject's ID. */
const subjects = [
  { column: 'verification_id', table: 'license_verifications', type: 'license_%', part: 3 },
  { column: 'webhook_id', table: 'webhooks', type: 'webhook_stopped', part: 2 },
  { column: 'menu_source_id', table: 'menu_sources', type: 'menu_fetch_%', part: 2 },
  { column: 'draft_id', table: 'post_drafts', type: 'draft_failed', part: 2 },
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const { column, table, type, part } of subjects) {
    await sql`
      update notifications set ${sql.ref(column)} = subject.id from ${sql.table(table)} as subject
      where notifications.type like ${type} and subject.id::text = split_part(notifications.group_key, ':', ${part}::integer)`.execute(db)
  }
  // Until now, news of failed drafts had its own emails.
  await sql`update notifications set mailed_at = created_at where type = 'draft_failed' and mailed_at is null`.execute(db)
}
