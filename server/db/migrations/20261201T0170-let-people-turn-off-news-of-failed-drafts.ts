import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await allowValues(db, 'notification_choices', 'topic', ['drafts'])
  await sql`alter table notifications add column draft_id uuid references post_drafts on delete cascade`.execute(db)
  // Until now, only `group_key` had the draft's ID.
  await sql`
    update notifications set draft_id = post_drafts.id from post_drafts
    where notifications.type = 'draft_failed' and post_drafts.id::text = split_part(notifications.group_key, ':', 2)`.execute(db)
  // Separate emails about these were already sent.
  await sql`update notifications set mailed_at = created_at where type = 'draft_failed' and mailed_at is null`.execute(db)
  await sql`create index notifications_of_draft on notifications (draft_id) where draft_id is not null`.execute(db)
}

/** Adds values to a check constraint, keeping those that other migrations have added. */
async function allowValues(db: Kysely<unknown>, table: string, column: string, values: readonly string[]): Promise<void> {
  const name = `${table}_${column}_check`
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint where conname = ${name} and conrelid = ${table}::regclass`.execute(db)
  const before = [...(rows[0]?.definition ?? '').matchAll(/'([a-z_]+)'/g)].map(([, value = '']) => value)
  const all = sql.join([...new Set([...before, ...values])].map((value) => sql.lit(value)))
  await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}, add constraint ${sql.ref(name)}
    check (${sql.ref(column)} in (${all}))`.execute(db)
}
