import type { Community } from '#contracts/communities.ts'
import type { CommunityInvitationState, listMyCommunityInvitations as listCall, ReceivedInvitation } from '#contracts/community-members.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { loadCommunity, readAsInvited, readCommunities } from './communities.view.ts'
import { lockCommunity } from './community-access.ts'
import { type InvitationRow, invitationFor, markRevoked, markUsed, openInvitationsTo } from './invitations.queries.ts'
import { addMember } from './memberships.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

const unknown = "We don't know this invitation."

const refusals: Record<Exclude<CommunityInvitationState, 'open' | 'member'>, string> = {
  used: 'This invitation was already used. Ask for another one.',
  expired: 'This invitation has expired. Ask for another one.',
  revoked: 'This invitation was canceled.',
}

/** @throws AppError not_found */
export async function getInvitation(ctx: Ctx, actor: Actor, token: string): Promise<ReceivedInvitation> {
  const now = ctx.clock.now()
  const row = await invitationFor(ctx.db, actor.id, token)
  if (!row) throw notFound(unknown)
  return receive(ctx.db, actor, row, now)
}

/** While it is open, the invitation shows the community; afterwards only general access does. */
async function receive(db: Db, actor: Actor, row: InvitationRow, now: Date): Promise<ReceivedInvitation> {
  const [known] = await readCommunities(db, actor, [row.community_id], now)
  const shown = await readAsInvited(db, actor, row.community_id, now)
  const state = known?.myRole ? 'member' : stateOf(row, shown, now)
  const inviter = (await visiblePeople(db, actor.id, [row.invited_by])).get(row.invited_by)
  const community = (state === 'open' ? shown : known) ?? null
  return { state, community, invitedBy: (community && inviter) ?? null, expiresAt: row.expires_at.toISOString() }
}

/** If the person couldn't join, the invitation looks revoked. */
function stateOf(row: InvitationRow, shown: Community | undefined, now: Date): Exclude<CommunityInvitationState, 'member'> {
  if (row.used_at) return 'used'
  if (row.revoked_at || !shown) return 'revoked'
  return row.expires_at <= now ? 'expired' : 'open'
}

export async function listReceived(
  ctx: Ctx,
  actor: Actor,
  query: Parsed<(typeof listCall)['query']>,
): Promise<Page<ReceivedInvitation & { id: string }>> {
  const now = ctx.clock.now()
  const after = decodeCursor(query.cursor, ['id'])
  const rows = await openInvitationsTo(ctx.db, actor.id, now, after?.[0] ?? null, query.limit + 1)
  const { items, nextCursor } = toPage(rows, query.limit, ({ id }) => [id])
  const invitations = await Promise.all(items.map(async (row) => ({ ...(await receive(ctx.db, actor, row, now)), id: row.id })))
  return { items: invitations.filter(({ state }) => state === 'open'), nextCursor }
}

/**
 * Joins, once. An existing member keeps their role, and a link stays usable for another person.
 * @throws AppError not_found, conflict if it has ended
 */
export async function acceptInvitation(ctx: Ctx, actor: Actor, token: string): Promise<Community> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const found = await invitationFor(tx, actor.id, token)
    if (!found) throw notFound(unknown)
    await lockCommunity(tx, found.community_id, 'update')
    // It may have been used or revoked in the meantime.
    const invitation = await invitationFor(tx, actor.id, token)
    if (!invitation) throw notFound(unknown)
    const { state } = await receive(tx, actor, invitation, now)
    if (state !== 'open' && state !== 'member') throw new AppError('conflict', { message: refusals[state] })
    if (state === 'open') {
      await addMember(tx, { communityId: invitation.community_id, userId: actor.id, role: 'member', now })
      await markUsed(tx, invitation.id, actor.id, now)
    }
    return loadCommunity(tx, actor, invitation.community_id, now)
  })
}

/** Only for an invitation by name; a link can't be declined. @throws AppError not_found */
export async function declineInvitation(ctx: Ctx, actor: Actor, token: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const invitation = await invitationFor(tx, actor.id, token)
    if (!invitation || invitation.invited_id === null) throw notFound(unknown)
    await lockCommunity(tx, invitation.community_id, 'update')
    await markRevoked(tx, invitation.community_id, invitation.id, now)
  })
}
