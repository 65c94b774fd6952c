import { sql } from 'kysely'
import type { Community, CommunityRole } from '../../../contracts/communities.ts'
import type { CommunityMember, listCommunityMembers as listCall } from '../../../contracts/community-members.ts'
import type { Parsed } from '../../../contracts/endpoint.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { bylineColumns, isNamed, isNotBlocked, toPerson } from '../people/index.ts'
import { auditCommunity } from './audit.ts'
import { requireCommunity } from './community-access.ts'
import { communityRoleOf, removeMember, revokeInvitationsBy, setRole } from './memberships.queries.ts'
import { loadCommunity } from './read-communities.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** Whom one leads together with: enough for any size, few enough to know each other. */
const mostModerators = 30

const missing = 'This person is not in the community.'

/**
 * Who is in it, the last joined first, without those whom a block keeps from the viewer; they are counted all the same.
 * @throws AppError not_found, forbidden for all but the team when the viewer is not in it
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
    throw new AppError('forbidden', { message: 'Who is in this community is for its members to see.' })
  }
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const rows = await memberRows(db, actor.id, communityId, now)
    .$if(query.only === 'team', (rows) => rows.where('community_members.role', '<>', 'member'))
    .$if(query.only === 'members', (rows) => rows.where('community_members.role', '=', 'member'))
    .$if(query.search !== '', (rows) => rows.where(isNamed(query.search)))
    .$if(after !== null, (rows) =>
      rows.where(
        sql<boolean>`(community_members.joined_at, community_members.user_id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`,
      ),
    )
    .orderBy('community_members.joined_at', 'desc')
    .orderBy('community_members.user_id', 'desc')
    .limit(query.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, query.limit, ({ joined_at, id }) => [joined_at.toISOString(), id])
  return { items: items.map((row) => toMember(row, actor.id, own)), nextCursor }
}

const memberRows = (db: Db, viewerId: string, communityId: string, now: Date) =>
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
    .where(isNotBlocked(sql`${viewerId}::uuid`, sql`community_members.user_id`))

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

/** Moderators remove members, the owner also moderators. */
const mayRemove = (own: CommunityRole | null, other: CommunityRole): boolean =>
  other !== 'owner' && (own === 'owner' || (own === 'moderator' && other === 'member'))

/** @throws AppError not_found, forbidden, conflict for the owner and where there are too many moderators */
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
    if (before === 'owner') throw new AppError('conflict', { message: 'Hand the community over first.' })
    if (before !== role) {
      if (role === 'moderator') await requireRoomForModerator(tx, communityId)
      await setRole(tx, communityId, personId, role)
      if (role === 'member') await revokeInvitationsBy(tx, communityId, personId, now)
    }
    const row = await memberRows(tx, actor.id, communityId, now).where('community_members.user_id', '=', personId).executeTakeFirst()
    if (!row) throw notFound(missing)
    if (before !== role) await auditCommunity(tx, actor, 'community.role_changed', communityId, now, { person: personId, role })
    return toMember(row, actor.id, 'owner')
  })
}

async function requireRoomForModerator(tx: Tx, communityId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('community_members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('community_id', '=', communityId)
    .where('role', '=', 'moderator')
    .executeTakeFirstOrThrow()
  if (count >= mostModerators) throw new AppError('conflict', { message: `A community has at most ${mostModerators} moderators.` })
}

/** @throws AppError not_found, forbidden for whom the actor may not remove, conflict for oneself */
export async function removeFromCommunity(ctx: Ctx, actor: Actor, communityId: string, personId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'moderate', now, { lock: 'update' })
    if (personId === actor.id) throw new AppError('conflict', { message: 'Leave the community instead.' })
    const role = await communityRoleOf(tx, communityId, personId)
    if (role === null) return
    if (!mayRemove(await communityRoleOf(tx, communityId, actor.id), role)) {
      throw new AppError('forbidden', { message: 'Only the owner can remove somebody who runs the community.' })
    }
    await removeMember(tx, communityId, personId, now)
    await auditCommunity(tx, actor, 'community.member_removed', communityId, now, { person: personId })
  })
}

/** Held until the transaction ends: or the two would pass each other. @throws AppError conflict */
async function requireStaying(tx: Tx, personId: string): Promise<void> {
  const person = await tx.selectFrom('users').select('leaves_at').where('id', '=', personId).forNoKeyUpdate().executeTakeFirst()
  if (person?.leaves_at) throw new AppError('conflict', { message: 'This person is about to delete their account.' })
}

/**
 * The owner before becomes a moderator. It goes to somebody who moderates already: whoever took that on knows what it is about.
 * @throws AppError not_found, forbidden, conflict for whoever is no moderator
 */
export async function handOverCommunity(ctx: Ctx, actor: Actor, communityId: string, personId: string): Promise<Community> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'own', now, { lock: 'update' })
    const role = await communityRoleOf(tx, communityId, personId)
    if (role === null) throw notFound(missing)
    if (role === 'member') throw new AppError('conflict', { message: 'Make this person a moderator first.' })
    if (role === 'moderator') {
      await requireStaying(tx, personId)
      // One after the other: there is never more than one owner.
      await setRole(tx, communityId, actor.id, 'moderator')
      await setRole(tx, communityId, personId, 'owner')
    }
    const community = await loadCommunity(tx, actor, communityId, now)
    if (role === 'moderator') await auditCommunity(tx, actor, 'community.handed_over', communityId, now, { person: personId })
    return community
  })
}
