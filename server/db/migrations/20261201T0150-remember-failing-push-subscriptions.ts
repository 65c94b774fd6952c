import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table push_subscriptions add column failing_since timestamptz(3), add column failed_at timestamptz(3)`.execute(db)
}
