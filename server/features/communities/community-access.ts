import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#server/db/connect.ts'
import { asLocked, type Locked } from '#server/db/locked.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'

/**
 * Levels of access, each including the previous ones: `see` that it exists (name, description and rules), `read` its posts,
 * `write` there, `moderate` it, `own` it.
 */
const communitySteps = ['see', 'read', 'write', 'moderate', 'own'] as const
export type CommunityAccess = (typeof communitySteps)[number]

export const grantsAccess = (access: CommunityAccess, wanted: CommunityAccess): boolean =>
  communitySteps.indexOf(access) >= communitySteps.indexOf(wanted)

const membership = (personId: RawBuilder<unknown>, communityId: RawBuilder<unknown>) => sql`
  from community_members where community_members.community_id = ${communityId} and community_members.user_id = ${personId}`

export const isBanned = (personId: RawBuilder<unknown>, communityId: RawBuilder<unknown>, now: RawBuilder<Date>) => sql<boolean>`exists (
  select from community_bans where community_bans.community_id = ${communityId} and community_bans.user_id = ${personId}
    and (community_bans.ends_at is null or community_bans.ends_at > ${now}))`

/** SQL condition: the person has an open invitation by name. */
export const isInvited = (personId: RawBuilder<unknown>, communityId: RawBuilder<unknown>, now: RawBuilder<Date>) => sql<boolean>`exists (
  select from community_invitations where community_invitations.community_id = ${communityId} and community_invitations.invited_id = ${personId}
    and community_invitations.used_at is null and community_invitations.revoked_at is null and community_invitations.expires_at > ${now})`

const isMuted = (personId: RawBuilder<unknown>, communityId: RawBuilder<unknown>, now: RawBuilder<Date>) => sql<boolean>`exists (
  select from community_mutes where community_mutes.community_id = ${communityId} and community_mutes.user_id = ${personId}
    and community_mutes.ends_at > ${now})`

/**
 * The single rule for access to a community, as SQL over `communities`; null if it is hidden from the person.
 * - `public`: everyone signed in can read; members can write.
 * - `invite_only`: everyone signed in sees that it exists; members can read and write.
 * - `private`: visible only to members and people with an open invitation by name.
 * Banned people see a public community like an invite-only one. Site moderators get no extra access; they see reported content in
 * its case. A community hidden by them is visible only to its owner.
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
 * SQL condition: the person can read the community's posts. The same rule as `communityAccess`, for joins with other tables.
 * Aliases the table, so that `communityId` may be a column of an outer `communities`.
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

/**
 * SQL condition: the community isn't closed. Only one that its owner deleted has no owner; until it is erased, no one may find or reopen it.
 */
export const hasOwner = sql<boolean>`exists (
  select from community_members where community_members.community_id = communities.id and community_members.role = 'owner')`

type AccessibleCommunity = {
  id: string
  slug: string
  name: string
  visibility: 'public' | 'private' | 'invite_only'
  moderation: string | null
  access: CommunityAccess
}

/**
 * Owners can delete even a community that moderators have hidden; otherwise, they couldn't delete their account. No one else has access to
 * a hidden community.
 */
export const mayDelete = (access: CommunityAccess, isHidden: boolean): boolean => isHidden || grantsAccess(access, 'own')

export const refusals: Record<CommunityAccess, string> = {
  see: 'This community can’t be found or isn’t visible to you.',
  read: 'Only members can read this. Ask to join, or use an invitation.',
  write: 'Only members can post here. Join the community first.',
  moderate: 'Only the moderators of this community can do this.',
  own: 'Only the owner of this community can do this.',
}

/**
 * Checks access for every call about a community. Optionally locks its row until the transaction ends: `share` prevents changes
 * to access, `update` is for making such changes and for changing its counts.
 * @throws AppError not_found if it is hidden from the actor, forbidden if the actor sees it but lacks access
 */
export async function requireCommunity(
  db: Db,
  actor: Pick<Actor, 'id'>,
  communityId: string,
  wanted: CommunityAccess,
  now: Date,
  options: { lock: 'update' },
): Promise<AccessibleCommunity & { id: Locked<'communities'> }>
export async function requireCommunity(
  db: Db,
  actor: Pick<Actor, 'id'>,
  communityId: string,
  wanted: CommunityAccess,
  now: Date,
  options?: { lock?: 'share' | 'update' },
): Promise<AccessibleCommunity>
export async function requireCommunity(
  db: Db,
  actor: Pick<Actor, 'id'>,
  communityId: string,
  wanted: CommunityAccess,
  now: Date,
  options: { lock?: 'share' | 'update' } = {},
): Promise<AccessibleCommunity> {
  if (options.lock === 'update') await lockCommunity(db, communityId)
  if (options.lock === 'share') await db.selectFrom('communities').select('id').where('id', '=', communityId).forShare().execute()
  const community = await db
    .selectFrom('communities')
    .select(['id', 'slug', 'name', 'visibility', 'moderation'])
    .select(communityAccess(sql`${actor.id}::uuid`, now).as('access'))
    .where('id', '=', communityId)
    .executeTakeFirst()
  if (!community?.access) throw notFound('Community not found.')
  const { access } = community
  if (!grantsAccess(access, wanted)) throw new AppError('forbidden', { message: refusals[wanted] })
  return { ...community, access }
}

/** The community if not everyone can read it, otherwise null. Only its members can be mentioned in it. */
export async function closedCommunity(db: Db, actor: Pick<Actor, 'id'>, communityId: string | null, now: Date): Promise<string | null> {
  if (communityId === null) return null
  const { visibility } = await requireCommunity(db, actor, communityId, 'read', now)
  return visibility === 'public' ? null : communityId
}

/**
 * Locks a community for update until the transaction ends. Comes before people, posts and comments in the lock order.
 * @returns its ID; undefined if there is none
 */
export async function lockCommunity(db: Db, communityId: string): Promise<Locked<'communities'> | undefined> {
  const row = await db.selectFrom('communities').select('id').where('id', '=', communityId).forUpdate().executeTakeFirst()
  return row && asLocked('communities', row.id)
}

/** Records no text that people wrote. Call last in the transaction. */
export const auditCommunity = (
  tx: Tx,
  actor: Pick<Actor, 'id'>,
  action: `community.${string}`,
  communityId: string,
  at: Date,
  details: Record<string, string | number | boolean | null> = {},
) => recordAudit(tx, { at, actorId: actor.id, action, subjectType: 'community', subjectId: communityId, details })
