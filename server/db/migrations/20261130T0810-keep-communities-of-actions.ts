import { type Kysely, sql } from 'kysely'

/**
 * Deleting a community used to clear `community_id` of its moderators' actions, which then counted as the site's: the next decision about
 * the person extended an old mute or ban to the whole site. Actions now keep the ID of a deleted community. The IDs that were cleared are
 * restored from the audit log, which kept them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table moderation_actions drop constraint if exists moderation_actions_community_id_fkey`.execute(db)
  const { rows } = await sql<{ user_id: string | null }>`
    update moderation_actions set community_id = (audit_log.details ->> 'communityId')::uuid
    from audit_log
    where moderation_actions.community_id is null
      and audit_log.action = 'moderation.' || moderation_actions.action
      and audit_log.details ->> 'actionId' = moderation_actions.id::text
      and audit_log.details ->> 'communityId' is not null
    returning moderation_actions.user_id`.execute(db)
  const ids = rows.flatMap((row) => row.user_id ?? [])
  await sql`
    update users set (muted_until, suspended_until, banned_at) = (
      select max(ends_at) filter (where action = 'mute'), max(ends_at) filter (where action = 'suspend'),
        min(created_at) filter (where action = 'ban')
      from moderation_actions where user_id = users.id and undone_at is null and community_id is null)
    where id = any(${ids}::uuid[])`.execute(db)
}
