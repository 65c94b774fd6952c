import { sql } from 'kysely'
import type { Community } from '#contracts/communities.ts'
import type {
  CommunityInvitationState,
  CommunityRequest,
  listMyCommunityInvitations as invitationsCall,
  ReceivedInvitation,
  listCommunityRequests as requestsCall,
} from '#contracts/community-members.endpoints.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { bylineColumns, isNotBlocked, toPerson, visiblePeople } from '#server/features/people/index.ts'
import { type Actor, requireNotMuted } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, oldestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { auditCommunity, lockCommunity, requireCommunity } from './community-access.ts'
import {
  addMember,
  communityRoleOf,
  type InvitationRow,
  invitationFor,
  markRevoked,
  markUsed,
  openInvitationsTo,
  removeMember,
  removeRequest,
} from './memberships.queries.ts'
import { loadCommunity, readAsInvited, readCommunities } from './read-communities.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>

/**
 * Joins a public community or one that has invited the person by name, or requests to join an invite-only one, with a message to its
 * moderators. Idempotent.
 * @throws AppError not_found, forbidden if banned, muted for a message by a muted person, conflict at the limit of memberships
 */
export async function joinCommunity(ctx: Ctx, actor: Actor, communityId: string, message: string): Promise<Community> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const { id } = await requireCommunity(tx, actor, communityId, 'see', now, { lock: 'update' })
    const { abilities, visibility, myRole } = await loadCommunity(tx, actor, communityId, now)
    if (abilities.join) await addMember(tx, { communityId: id, userId: actor.id, role: 'member', now })
    else if (abilities.request) await requestToJoin(ctx, tx, actor, communityId, message, now)
    else if (myRole === null && !(await hasAsked(tx, communityId, actor.id))) {
      throw new AppError('forbidden', {
        message: visibility === 'public' ? 'You can’t join this community right now.' : 'You can’t ask to join this community right now.',
      })
    }
    return loadCommunity(tx, actor, communityId, now)
  })
}

async function requestToJoin(ctx: Ctx, tx: Tx, actor: Actor, communityId: string, message: string, now: Date): Promise<void> {
  if (message !== '') requireNotMuted(actor)
  await tx.insertInto('community_requests').values({ community_id: communityId, user_id: actor.id, message, created_at: now }).execute()
  await ctx.events.publish(tx, 'community.requested', { communityId, userId: actor.id })
}

async function hasAsked(tx: Tx, communityId: string, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('community_requests')
    .select('user_id')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Leaves a community or withdraws a join request, even while moderators hide the community. Idempotent.
 * @throws AppError not_found, conflict for the owner
 */
export async function leaveCommunity(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, communityId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const id = await lockCommunity(tx, communityId)
    if ((await communityRoleOf(tx, communityId, actor.id)) === 'owner') {
      throw new AppError('conflict', { message: 'A community needs an owner. Transfer it first, or delete it.' })
    }
    const hasLeft = id !== undefined && (await removeMember(tx, id, actor.id, now))
    const hasWithdrawn = await removeRequest(tx, communityId, actor.id)
    if (!hasLeft && !hasWithdrawn) await requireCommunity(tx, actor, communityId, 'see', now)
  })
}

/**
 * Oldest request first. Leaves out people whom the viewer blocked or who blocked the viewer.
 * @throws AppError not_found, forbidden, invalid_input about the cursor
 */
export async function listRequests(
  db: Db,
  actor: Actor,
  communityId: string,
  query: Parsed<(typeof requestsCall)['query']>,
  now: Date,
): Promise<Page<CommunityRequest>> {
  await requireCommunity(db, actor, communityId, 'moderate', now)
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('community_requests')
    .innerJoin('users', 'users.id', 'community_requests.user_id')
    .select(bylineColumns)
    .select(['community_requests.message', 'community_requests.created_at'])
    .where('community_requests.community_id', '=', communityId)
    .where(isNotBlocked(sql`${actor.id}::uuid`, sql`community_requests.user_id`))
    .$call((rows) => oldestAfter(rows, 'community_requests.created_at', 'community_requests.user_id', after))
    .limit(query.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, query.limit, ({ created_at, id }) => [created_at.toISOString(), id])
  return {
    items: items.map((row) => ({ person: toPerson(row), message: row.message, createdAt: row.created_at.toISOString() })),
    nextCursor,
  }
}

/** Notifies the person. @throws AppError not_found if there is no request, forbidden, conflict */
export async function acceptRequest(ctx: Ctx, actor: Actor, communityId: string, personId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const { id } = await requireCommunity(tx, actor, communityId, 'moderate', now, { lock: 'update' })
    const hasAsked = await removeRequest(tx, communityId, personId)
    if (!hasAsked) {
      if (await communityRoleOf(tx, communityId, personId)) return
      throw notFound('This person withdrew their request to join.')
    }
    await addMember(tx, { communityId: id, userId: personId, role: 'member', now })
    await ctx.events.publish(tx, 'community.joined', { communityId, userId: personId })
    await auditCommunity(tx, actor, 'community.request_accepted', communityId, now, { person: personId })
  })
}

/** The person is not notified, and may request again. @throws AppError not_found, forbidden */
export async function declineRequest(ctx: Pick<Ctx, 'db' | 'clock'>, actor: Actor, communityId: string, personId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'moderate', now, { lock: 'update' })
    if (!(await removeRequest(tx, communityId, personId))) return
    await auditCommunity(tx, actor, 'community.request_declined', communityId, now, { person: personId })
  })
}

type InvitationContext = Pick<Context, 'db' | 'clock'>

const unknown = 'We don’t recognize this invitation.'

const refusals: Record<Exclude<CommunityInvitationState, 'open' | 'member'>, string> = {
  used: 'This invitation was already used. Ask for a new one.',
  expired: 'This invitation has expired. Ask for a new one.',
  revoked: 'This invitation was canceled.',
}

/** @throws AppError not_found */
export async function getInvitation(ctx: InvitationContext, actor: Actor, token: string): Promise<ReceivedInvitation> {
  const now = ctx.clock.now()
  const row = await invitationFor(ctx.db, actor.id, token)
  if (!row) throw notFound(unknown)
  return receive(ctx.db, actor, row, now)
}

/** An open invitation shows the community. Once it is answered or withdrawn, only people who can see the community anyway still do. */
async function receive(db: Db, actor: Actor, row: InvitationRow, now: Date): Promise<ReceivedInvitation> {
  const [known] = await readCommunities(db, actor, [row.community_id], now)
  const shown = await readAsInvited(db, actor, row.community_id, now)
  const state = known?.myRole ? 'member' : stateOf(row, shown, now)
  const inviter = (await visiblePeople(db, actor.id, [row.invited_by])).get(row.invited_by)
  const community = (state === 'open' ? shown : known) ?? null
  return { state, community, invitedBy: (community && inviter) ?? null, expiresAt: row.expires_at.toISOString() }
}

/** If the person can't join, the invitation looks revoked. */
function stateOf(row: InvitationRow, shown: Community | undefined, now: Date): Exclude<CommunityInvitationState, 'member'> {
  if (row.used_at) return 'used'
  if (row.revoked_at || !shown) return 'revoked'
  return row.expires_at <= now ? 'expired' : 'open'
}

export async function listReceived(
  ctx: InvitationContext,
  actor: Actor,
  query: Parsed<(typeof invitationsCall)['query']>,
): Promise<Page<ReceivedInvitation & { id: string }>> {
  const now = ctx.clock.now()
  const after = decodeCursor(query.cursor, ['id'])
  const rows = await openInvitationsTo(ctx.db, actor.id, now, after?.[0] ?? null, query.limit + 1)
  const { items, nextCursor } = toPage(rows, query.limit, ({ id }) => [id])
  const invitations = await Promise.all(items.map(async (row) => ({ ...(await receive(ctx.db, actor, row, now)), id: row.id })))
  return { items: invitations.filter(({ state }) => state === 'open'), nextCursor }
}

/**
 * Works once. An existing member keeps their role and doesn't use up a link.
 * @throws AppError not_found, conflict if the invitation has ended
 */
export async function acceptInvitation(ctx: InvitationContext, actor: Actor, token: string): Promise<Community> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const found = await invitationFor(tx, actor.id, token)
    if (!found) throw notFound(unknown)
    const communityId = await lockCommunity(tx, found.community_id)
    // The invitation may have been used or revoked in the meantime.
    const invitation = await invitationFor(tx, actor.id, token)
    if (!(communityId && invitation)) throw notFound(unknown)
    const { state } = await receive(tx, actor, invitation, now)
    if (state !== 'open' && state !== 'member') throw new AppError('conflict', { message: refusals[state] })
    if (state === 'open') {
      await addMember(tx, { communityId, userId: actor.id, role: 'member', now })
      await markUsed(tx, invitation.id, actor.id, now)
    }
    return loadCommunity(tx, actor, communityId, now)
  })
}

/** Only for an invitation by name; a link can't be declined. @throws AppError not_found */
export async function declineInvitation(ctx: InvitationContext, actor: Actor, token: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const invitation = await invitationFor(tx, actor.id, token)
    if (!invitation || invitation.invited_id === null) throw notFound(unknown)
    await lockCommunity(tx, invitation.community_id)
    await markRevoked(tx, invitation.community_id, invitation.id, now)
  })
}

const batch = 50

/** Leaves every community. Owners must hand theirs over first; otherwise nothing is deleted. */
export const eraseMemberships: EraseStep = {
  name: 'memberships',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db
      .selectFrom('community_members')
      .select('community_id')
      .where('user_id', '=', userId)
      .where('role', '<>', 'owner')
      .limit(batch)
      .execute()
    for (const { community_id: communityId } of rows) {
      await inTransaction(ctx.db, async (tx) => {
        const id = await lockCommunity(tx, communityId)
        if (id) await removeMember(tx, id, userId, ctx.clock.now())
      })
    }
    return rows.length
  },
}
