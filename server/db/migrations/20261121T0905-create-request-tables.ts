import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The response to a write with an Idempotency-Key, stored for a day.
  await sql`
    create table idempotency_keys (
      user_id uuid not null references users on delete cascade,
      key text not null,
      fingerprint text not null,
      response jsonb,
      created_at timestamptz(3) not null default now(),
      primary key (user_id, key)
    )`.execute(db)
  await sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`.execute(db)

  // The schema that rate-limiter-flexible's PostgreSQL store expects (expire is in milliseconds).
  await sql`create table rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint)`.execute(db)
  await sql`create index rate_limits_by_expiry on rate_limits (expire)`.execute(db)
}
