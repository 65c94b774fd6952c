import { type Kysely, sql } from 'kysely'

/**
 * Deleting a community used to delete the cases about it and its content, so that no one could decide their reports. Such cases now go to
 * the site's moderators. Reports whose case was already deleted are closed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table moderation_cases
      drop constraint moderation_cases_community_id_fkey,
      add constraint moderation_cases_community_id_fkey foreign key (community_id) references communities on delete set null`.execute(db)
  await sql`update reports set resolved_at = now() where case_id is null and resolved_at is null`.execute(db)
}
