import type { Community } from '../../../contracts/communities.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type Actor, requireVoice } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { requireCommunity } from './community-access.ts'
import { addMember, communityRoleOf, removeMember, removeRequest } from './memberships.queries.ts'
import { loadCommunity } from './read-communities.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>

/**
 * Joins a public community or one with an open invitation by name; asks to be let into an invite-only one, with words that its
 * moderators read. Whoever is in, or has asked, is and has so already.
 * @throws AppError not_found, forbidden for who is banned, muted for words of somebody who is, conflict where they are in too many
 */
export async function joinCommunity(ctx: Ctx, actor: Actor, communityId: string, message: string): Promise<Community> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'see', now, { lock: 'update' })
    const { abilities, visibility, myRole } = await loadCommunity(tx, actor, communityId, now)
    if (abilities.join) await addMember(tx, { communityId, userId: actor.id, role: 'member', now })
    else if (abilities.request) await ask(ctx, tx, actor, communityId, message, now)
    else if (myRole === null && !(await hasAsked(tx, communityId, actor.id))) {
      throw new AppError('forbidden', {
        message: visibility === 'public' ? 'You cannot join this community for now.' : 'You cannot ask to join this community for now.',
      })
    }
    return loadCommunity(tx, actor, communityId, now)
  })
}

async function ask(ctx: Ctx, tx: Tx, actor: Actor, communityId: string, message: string, now: Date): Promise<void> {
  if (message !== '') requireVoice(actor)
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
 * Leaves, or takes the own request back. Who was never in it has left already.
 * @throws AppError not_found, conflict for the owner
 */
export async function leaveCommunity(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, communityId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    await requireCommunity(tx, actor, communityId, 'see', now, { lock: 'update' })
    if ((await communityRoleOf(tx, communityId, actor.id)) === 'owner') {
      throw new AppError('conflict', { message: 'A community needs its owner. Hand it over first, or delete it.' })
    }
    await removeMember(tx, communityId, actor.id, now)
    await removeRequest(tx, communityId, actor.id)
  })
}
