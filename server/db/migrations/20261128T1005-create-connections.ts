import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A webhook sends nothing unless the person who created or last resumed it may manage connections.
  await sql`
    create table webhooks (
      id uuid primary key,
      business_id uuid not null references businesses on delete cascade,
      created_by uuid references users on delete set null,
      url text not null,
      events text[] not null check (cardinality(events) > 0 and events <@ array[
        'menu.out_of_date', 'review.created', 'message.received', 'subscriber.created', 'license.expiring']),
      sealed_secret text not null,
      old_sealed_secret text,
      old_secret_until timestamptz(3),
      created_at timestamptz(3) not null,
      failing_since timestamptz(3),
      stopped_at timestamptz(3),
      stop_reason text check (stop_reason in ('by_team', 'gone', 'failing')),
      sending_until timestamptz(3),
      unique (business_id, url),
      check ((old_sealed_secret is null) = (old_secret_until is null)),
      check ((stopped_at is null) = (stop_reason is null))
    )`.execute(db)
  await sql`create index webhooks_of_business on webhooks (business_id, created_at desc, id desc)`.execute(db)
  await sql`create index webhooks_of_creator on webhooks (created_by)`.execute(db)

  // One row per webhook and event, even if the process that records it is interrupted.
  await sql`
    create table webhook_deliveries (
      id uuid primary key,
      webhook_id uuid not null references webhooks on delete cascade,
      event text not null,
      event_key text not null,
      payload text not null,
      state text not null check (state in ('waiting', 'delivered', 'failed')),
      tries integer not null default 0,
      created_at timestamptz(3) not null,
      next_try_at timestamptz(3),
      tried_at timestamptz(3),
      status integer,
      error text,
      unique (webhook_id, event_key),
      check ((state = 'waiting') = (next_try_at is not null))
    )`.execute(db)
  await sql`create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, created_at desc, id desc)`.execute(db)
  await sql`create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_try_at) where state = 'waiting'`.execute(db)
  await sql`create index webhook_deliveries_by_age on webhook_deliveries (created_at)`.execute(db)

  // The address that a menu is fetched from.
  await sql`
    create table menu_sources (
      id uuid primary key,
      business_id uuid not null unique references businesses on delete cascade,
      created_by uuid references users on delete set null,
      url text not null,
      auth text not null check (auth in ('none', 'basic', 'header')),
      auth_name text,
      sealed_secret text,
      schedule text not null check (schedule in ('manual', 'nightly', 'hourly')),
      created_at timestamptz(3) not null,
      next_fetch_at timestamptz(3),
      fetching_until timestamptz(3),
      fetched_at timestamptz(3),
      applied_at timestamptz(3),
      outcome text check (outcome in ('imported', 'unchanged', 'failed')),
      error text,
      failing_since timestamptz(3),
      stopped_at timestamptz(3),
      etag text,
      last_modified text,
      content_hash text,
      check ((auth = 'none') = (auth_name is null)),
      check ((auth = 'none') = (sealed_secret is null)),
      check ((outcome = 'failed') = (error is not null))
    )`.execute(db)
  await sql`create index menu_sources_of_creator on menu_sources (created_by)`.execute(db)
  await sql`create index menu_sources_due on menu_sources (next_fetch_at) where next_fetch_at is not null`.execute(db)
  await sql`alter table menu_imports add column source_id uuid references menu_sources on delete set null`.execute(db)
  await sql`create index menu_imports_of_source on menu_imports (source_id) where source_id is not null`.execute(db)

  await allowValues(db, 'notifications', 'type', ['webhook_stopped', 'menu_fetch_failed', 'menu_fetch_stopped'])
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
