import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Messages between processes if LISTEN/NOTIFY is unavailable (LIVE_BUS=poll). Rows live for a minute.
  await sql`
    create table live_signals (
      id uuid primary key,
      signal jsonb not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index live_signals_by_age on live_signals (created_at)`.execute(db)
}
