import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null for browsers that subscribed before this migration; a browser also ends its own subscription when its person signs out.
  await sql`alter table push_subscriptions add column session_id uuid references sessions on delete cascade`.execute(db)
  await sql`create index push_subscriptions_of_session on push_subscriptions (session_id)`.execute(db)
}
