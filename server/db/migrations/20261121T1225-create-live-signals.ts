import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Words between processes where LISTEN/NOTIFY is not to be had (LIVE_BUS=poll). A row lives for a minute.
  await sql`
    create table live_signals (
      id uuid primary key,
      signal jsonb not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index live_signals_by_age on live_signals (created_at)`.execute(db)
}
