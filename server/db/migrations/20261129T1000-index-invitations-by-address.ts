import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // People see the open invitations to their own address.
  await sql`
    create index team_invitations_open_by_email on team_invitations (email)
    where accepted_at is null and revoked_at is null`.execute(db)
}
