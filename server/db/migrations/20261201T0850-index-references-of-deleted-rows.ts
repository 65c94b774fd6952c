import { type Kysely, sql } from 'kysely'

/** Deleting a message, hunt or business read whole tables, because their partial indexes leave out rows that go with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index message_deletions_of_message on message_deletions (message_id)`.execute(db)
  await sql`create index grow_logs_by_hunt on grow_logs (hunt_id)`.execute(db)
  await sql`create index team_invitations_of_business on team_invitations (business_id)`.execute(db)
}
