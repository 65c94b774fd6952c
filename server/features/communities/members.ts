import { sql } from 'kysely'
import type { Community, CommunityRole } from '#contracts/communities.ts'
import type { CommunityMember, listCommunityMembers as listCall } from '#contracts/community-members.endpoints.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { bylineColumns, isNamed, isNotBlocked, toPerson } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import { auditCommunity, requireCommunity } from './community-access.ts'
import { communityRoleOf, removeMember, revokeInvitationsBy, setRole } from './memberships.queries.ts'
import { loadCommunity } from './read-communities.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** Enough moderators for a community of any size, yet few enough to know each other. */
const maxModerators = 30

const missing = 'This person isn’t in the community.'

/**
 * Most recently joined first. People with a block between them and the viewer are left out, but still counted. Viewers who may remove
 * them see them anyway.
 * @throws AppError not_found, forbidden if the viewer is not a member and requests more than the team, invalid_input about the cursor
 */
export async function listMembers(
  db: Db,
  actor: Actor,
  communityId: string,
  query: Parsed<(typeof listCall)['query']>,
  now: Date,
): Promise<Page<CommunityMember>> {
  await requireCommunity(db, actor, communityId, 'read', now)
  const own = await communityRoleOf(db, communityId, actor.id)
  if (own === null && query.only !== 'team') {
    throw new AppError('forbidden', { message: 'Only members can see who is in this community.' })
  }
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const rows = await memberRows(db, { viewerId: actor.id, own }, communityId, now)
    .$if(query.only === 'team', (rows) => rows.where('community_members.role', '<>', 'member'))
    .$if(query.only === 'members', (rows) => rows.where('community_members.role', '=', 'member'))
    .$if(query.search !== '', (rows) => rows.where(isNamed(query.search)))
    .$call((rows) => newestAfter(rows, 'community_members.joined_at', 'community_members.user_id', after))
    .limit(query.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, query.limit, ({ joined_at, id }) => [joined_at.toISOString(), id])
  return { items: items.map((row) => toMember(row, actor.id, own)), nextCursor }
}

type MemberViewer = { viewerId: string; own: CommunityRole | null }

const memberRows = (db: Db, { viewerId, own }: MemberViewer, communityId: string, now: Date) =>
  db
    .selectFrom('community_members')
    .innerJoin('users', 'users.id', 'community_members.user_id')
    .leftJoin('community_mutes', (join) =>
      join
        .onRef('community_mutes.community_id', '=', 'community_members.community_id')
        .onRef('community_mutes.user_id', '=', 'community_members.user_id')
        .on('community_mutes.ends_at', '>', now),
    )
    .select(bylineColumns)
    .select(['community_members.role', 'community_members.joined_at', 'community_mutes.ends_at as muted_until'])
    .where('community_members.community_id', '=', communityId)
    .$if(own !== 'owner', (rows) =>
      rows.where((eb) =>
        eb.or([
          ...(own === 'moderator' ? [eb('community_members.role', '=', 'member')] : []),
          isNotBlocked(sql`${viewerId}::uuid`, sql`community_members.user_id`),
        ]),
      ),
    )

type MemberRow = Awaited<ReturnType<ReturnType<typeof memberRows>['execute']>>[number]

function toMember(row: MemberRow, viewerId: string, own: CommunityRole | null): CommunityMember {
  const isSelf = row.id === viewerId
  return {
    person: toPerson(row),
    role: row.role,
    joinedAt: row.joined_at.toISOString(),
    isSelf,
    mutedUntil: own === 'owner' || own === 'moderator' ? (row.muted_until?.toISOString() ?? null) : null,
    abilities: { changeRole: own === 'owner' && row.role !== 'owner', remove: !isSelf && mayRemove(own, row.role) },
  }
}

/** Moderators can remove members; the owner can also remove moderators. */
const mayRemove = (own: CommunityRole | null, other: CommunityRole): boolean =>
  other !== 'owner' && (own === 'owner' || (own === 'moderator' && other === 'member'))

/** @throws AppError not_found, forbidden, conflict for the owner and at the limit of moderators */
export async function setMemberRole(
  ctx: Ctx,
  actor: Actor,
  communityId: string,
  personId: string,
  role: 'moderator' | 'member',
): Promise<CommunityMember> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'own', now, { lock: 'update' })
    const before = await communityRoleOf(tx, communityId, personId)
    if (before === null) throw notFound(missing)
    if (before === 'owner') throw new AppError('conflict', { message: 'Transfer the community first.' })
    if (before !== role) {
      if (role === 'moderator') await requireRoomForModerator(tx, communityId)
      await setRole(tx, communityId, personId, role)
      if (role === 'member') await revokeInvitationsBy(tx, communityId, personId, now)
    }
    const row = await memberRows(tx, { viewerId: actor.id, own: 'owner' }, communityId, now)
      .where('community_members.user_id', '=', personId)
      .executeTakeFirst()
    if (!row) throw notFound(missing)
    if (before !== role) await auditCommunity(tx, actor, 'community.role_changed', communityId, now, { person: personId, role })
    return toMember(row, actor.id, 'owner')
  })
}

async function requireRoomForModerator(tx: Tx, communityId: string): Promise<void> {
  const moderators = tx.selectFrom('community_members').where('community_id', '=', communityId).where('role', '=', 'moderator')
  if ((await countRows(moderators)) >= maxModerators)
    throw new AppError('conflict', { message: `A community can have up to ${maxModerators} moderators.` })
}

/** @throws AppError not_found, forbidden if the actor may not remove this person, conflict for the actor themselves */
export async function removeFromCommunity(ctx: Ctx, actor: Actor, communityId: string, personId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const { id } = await requireCommunity(tx, actor, communityId, 'moderate', now, { lock: 'update' })
    if (personId === actor.id) throw new AppError('conflict', { message: 'Leave the community instead.' })
    const role = await communityRoleOf(tx, communityId, personId)
    if (role === null) return
    if (!mayRemove(await communityRoleOf(tx, communityId, actor.id), role)) {
      throw new AppError('forbidden', { message: 'Only the owner can remove a moderator of the community.' })
    }
    await removeMember(tx, id, personId, now)
    await auditCommunity(tx, actor, 'community.member_removed', communityId, now, { person: personId })
  })
}

/**
 * Refuses a person who is about to delete their account. Locks their row, so that a deletion can't begin in the meantime.
 * @throws AppError conflict
 */
async function requireStaying(tx: Tx, personId: string): Promise<void> {
  const person = await tx.selectFrom('users').select('leaves_at').where('id', '=', personId).forNoKeyUpdate().executeTakeFirst()
  if (person?.leaves_at) throw new AppError('conflict', { message: 'This person is deleting their account.' })
}

/**
 * Transfers ownership to a moderator, who already knows what running the community involves. The previous owner becomes a moderator.
 * @throws AppError not_found, forbidden, conflict if the person is not a moderator or is deleting their account
 */
export async function transferCommunity(ctx: Ctx, actor: Actor, communityId: string, personId: string): Promise<Community> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'own', now, { lock: 'update' })
    const role = await communityRoleOf(tx, communityId, personId)
    if (role === null) throw notFound(missing)
    if (role === 'member') throw new AppError('conflict', { message: 'Make this person a moderator first.' })
    if (role === 'moderator') {
      await requireStaying(tx, personId)
      // The order matters, because there can be only one owner.
      await setRole(tx, communityId, actor.id, 'moderator')
      await setRole(tx, communityId, personId, 'owner')
    }
    const community = await loadCommunity(tx, actor, communityId, now)
    if (role === 'moderator') await auditCommunity(tx, actor, 'community.handed_over', communityId, now, { person: personId })
    return community
  })
}
