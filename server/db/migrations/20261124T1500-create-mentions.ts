import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mentions (
      post_id uuid references posts (id) on delete cascade,
      comment_id uuid references comments (id) on delete cascade,
      person_id uuid references users (id) on delete cascade,
      business_id uuid references businesses (id) on delete cascade,
      -- In UTF-16 code units of the text, as in browsers.
      start integer not null check (start >= 0),
      length integer not null check (length >= 2),
      check (num_nonnulls(post_id, comment_id) = 1),
      check (num_nonnulls(person_id, business_id) = 1)
    )`.execute(db)
  await sql`create unique index mentions_in_post on mentions (post_id, start) where post_id is not null`.execute(db)
  await sql`create unique index mentions_in_comment on mentions (comment_id, start) where comment_id is not null`.execute(db)
  await sql`create index mentions_of_person on mentions (person_id) where person_id is not null`.execute(db)
  await sql`create index mentions_of_business on mentions (business_id) where business_id is not null`.execute(db)
  await sql`alter table post_drafts add column mentions jsonb not null default '[]'`.execute(db)
  await allow(db, 'notifications', 'type', ['mention', 'comment_mention'])
  await allow(db, 'notification_choices', 'topic', ['mentions'])
}

/** Adds values to a check constraint, keeping those that other migrations have added. */
async function allow(db: Kysely<unknown>, table: string, column: string, values: readonly string[]): Promise<void> {
  const name = `${table}_${column}_check`
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint where conname = ${name} and conrelid = ${table}::regclass`.execute(db)
  const before = [...(rows[0]?.definition ?? '').matchAll(/'([a-z_]+)'/g)].map(([, value = '']) => value)
  const all = sql.join([...new Set([...before, ...values])].map((value) => sql.lit(value)))
  await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}, add constraint ${sql.ref(name)}
    check (${sql.ref(column)} in (${all}))`.execute(db)
}
