import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // When the team last edited the event, so that an edit based on an older version can be refused. `updated_at` also changes with moderation.
  await sql`alter table events add column edited_at timestamptz(3)`.execute(db)
}
