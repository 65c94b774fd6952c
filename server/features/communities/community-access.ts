import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError, notFound } from '../../kernel/errors.ts'

/**
 * What somebody may do with a community, each step with all before it: `see` that it exists (its name, description and rules),
 * `read` its posts, `write` there, `moderate` it, `own` it.
 */
const communitySteps = ['see', 'read', 'write', 'moderate', 'own'] as const
export type CommunityAccess = (typeof communitySteps)[number]

export const reaches = (held: CommunityAccess, wanted: CommunityAccess): boolean =>
  communitySteps.indexOf(held) >= communitySteps.indexOf(wanted)

const membership = (personId: RawBuilder<unknown>, communityId: RawBuilder<unknown>) => sql`
  from community_members where community_members.community_id = ${communityId} and community_members.user_id = ${personId}`

export const isBanned = (personId: RawBuilder<unknown>, communityId: RawBuilder<unknown>, now: RawBuilder<Date>) => sql<boolean>`exists (
  select from community_bans where community_bans.community_id = ${communityId} and community_bans.user_id = ${personId}
    and (community_bans.ends_at is null or community_bans.ends_at > ${now}))`

/** Whether an open invitation names the person. */
export const isInvited = (personId: RawBuilder<unknown>, communityId: RawBuilder<unknown>, now: RawBuilder<Date>) => sql<boolean>`exists (
  select from community_invitations where community_invitations.community_id = ${communityId} and community_invitations.invited_id = ${personId}
    and community_invitations.used_at is null and community_invitations.revoked_at is null and community_invitations.expires_at > ${now})`

const isMuted = (personId: RawBuilder<unknown>, communityId: RawBuilder<unknown>, now: RawBuilder<Date>) => sql<boolean>`exists (
  select from community_mutes where community_mutes.community_id = ${communityId} and community_mutes.user_id = ${personId}
    and community_mutes.ends_at > ${now})`

/**
 * The one rule for who may do what with a community, as SQL over `communities`; null for whom it does not exist.
 * - `public`: everybody signed in reads; members write.
 * - `invite_only`: everybody signed in sees that it exists; members read and write.
 * - `private`: it exists for its members, and for whom an open invitation names.
 * Who is banned sees of a public one what there is of an invite-only one. The site's moderators get no more than others: what is
 * reported to them they see in its case. What they hid exists for its owner alone.
 */
export const communityAccess = (personId: RawBuilder<unknown>, now: Date): RawBuilder<CommunityAccess | null> => {
  const at = sql<Date>`${now}::timestamptz`
  const id = sql`communities.id`
  return sql<CommunityAccess | null>`(case
    when communities.moderation is not null then (select 'read' ${membership(personId, id)} and community_members.role = 'owner')
    else coalesce(
      (select case community_members.role
        when 'owner' then 'own'
        when 'moderator' then 'moderate'
        else case when ${isMuted(personId, id, at)} then 'read' else 'write' end
      end ${membership(personId, id)}),
      case communities.visibility
        when 'public' then case when ${isBanned(personId, id, at)} then 'see' else 'read' end
        when 'invite_only' then 'see'
        else case when ${isInvited(personId, id, at)} then 'see' end
      end)
  end)`
}

/**
 * Whether a person reads the posts of a community: the same rule as `communityAccess`, for the many rows of other tables. The table has
 * another name in here, so that `communityId` may be a column of `communities` around it.
 */
export const readsCommunity = (
  personId: RawBuilder<unknown>,
  communityId: RawBuilder<unknown>,
  now: RawBuilder<Date>,
): RawBuilder<boolean> => {
  const id = sql`read_community.id`
  return sql<boolean>`exists (
  select from communities as read_community where ${id} = ${communityId} and (
    exists (select ${membership(personId, id)} and (read_community.moderation is null or community_members.role = 'owner'))
    or (read_community.visibility = 'public' and read_community.moderation is null and not ${isBanned(personId, id, now)})))`
}

export type AccessibleCommunity = {
  id: string
  slug: string
  name: string
  visibility: 'public' | 'private' | 'invite_only'
  access: CommunityAccess
}

const refusals: Record<CommunityAccess, string> = {
  see: 'This community is not here.',
  read: 'What is said here is for members. Ask to join, or come with an invitation.',
  write: 'Only members write here. Join the community first.',
  moderate: 'Only the moderators of this community can do this.',
  own: 'Only the owner of this community can do this.',
}

/**
 * The gate of every call about a community and what is in it. With a lock its row is held until the transaction ends: `share` against
 * changes of who may do what, `update` for making them and for its counts.
 * @throws AppError not_found for whom the community does not exist, forbidden for whoever may see it but not do this
 */
export async function requireCommunity(
  db: Db,
  actor: Pick<Actor, 'id'>,
  communityId: string,
  wanted: CommunityAccess,
  now: Date,
  options: { lock?: 'share' | 'update' } = {},
): Promise<AccessibleCommunity> {
  if (options.lock) await lockCommunity(db, communityId, options.lock)
  const community = await db
    .selectFrom('communities')
    .select(['id', 'slug', 'name', 'visibility'])
    .select(communityAccess(sql`${actor.id}::uuid`, now).as('access'))
    .where('id', '=', communityId)
    .executeTakeFirst()
  if (!community?.access) throw notFound('There is no such community.')
  const { access } = community
  if (!reaches(access, wanted)) throw new AppError('forbidden', { message: refusals[wanted] })
  return { ...community, access }
}

/** Holds a community's row until the transaction ends: before people, posts and comments. */
export const lockCommunity = (db: Db, communityId: string, lock: 'share' | 'update') =>
  db
    .selectFrom('communities')
    .select('id')
    .where('id', '=', communityId)
    .$if(lock === 'share', (query) => query.forShare())
    .$if(lock === 'update', (query) => query.forUpdate())
    .execute()
