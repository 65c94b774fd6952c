import { type Kysely, sql } from 'kysely'

/** The subject's ID, which was only part of `group_key` until now, and its position there. */
const subjects = [
  { column: 'verification_id', table: 'license_verifications', type: 'license_%', part: 3 },
  { column: 'webhook_id', table: 'webhooks', type: 'webhook_stopped', part: 2 },
  { column: 'menu_source_id', table: 'menu_sources', type: 'menu_fetch_%', part: 2 },
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const { column, table, type, part } of subjects) {
    await sql`
      alter table notifications add column ${sql.ref(column)} uuid references ${sql.table(table)} on delete cascade`.execute(db)
    await sql`
      update notifications set ${sql.ref(column)} = subject.id from ${sql.table(table)} as subject
      where notifications.type like ${type} and subject.id::text = split_part(notifications.group_key, ':', ${part}::integer)`.execute(db)
    await sql`
      create index ${sql.ref(`notifications_of_${column.replace('_id', '')}`)} on notifications (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(db)
  }
}
