import { type Kysely, sql } from 'kysely'

/** `20261201T0170` fills these columns in its own transaction, so that this lock on all notifications is short. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notifications
      add column verification_id uuid references license_verifications on delete cascade,
      add column webhook_id uuid references webhooks on delete cascade,
      add column menu_source_id uuid references menu_sources on delete cascade,
      add column draft_id uuid references post_drafts on delete cascade`.execute(db)
  await allowValues(db, 'notification_choices', 'topic', ['drafts'])
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
