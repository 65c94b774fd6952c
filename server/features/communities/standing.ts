import type { Tx } from '../../db/connect.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { lockCommunity } from './community-access.ts'
import { communityRoleOf, removeMember, removeRequest } from './memberships.queries.ts'

/**
 * What moderation does to somebody in one community, in its own transaction; who may do it is decided there. Each takes the lock on
 * the community, which comes before every other one.
 */

/**
 * Somebody is out, and does not come back before `endsAt`, or ever. Doing it again moves the end.
 * @throws AppError not_found, conflict for the owner
 */
export async function banFromCommunity(tx: Tx, communityId: string, userId: string, endsAt: Date | null, now: Date): Promise<void> {
  await hold(tx, communityId)
  if ((await communityRoleOf(tx, communityId, userId)) === 'owner') {
    throw new AppError('conflict', { message: 'The owner of a community cannot be banned from it. Suspend the account instead.' })
  }
  await removeMember(tx, communityId, userId, now)
  await removeRequest(tx, communityId, userId)
  await tx
    .deleteFrom('community_invitations')
    .where('community_id', '=', communityId)
    .where('invited_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
  await tx
    .insertInto('community_bans')
    .values({ community_id: communityId, user_id: userId, ends_at: endsAt, created_at: now })
    .onConflict((conflict) => conflict.columns(['community_id', 'user_id']).doUpdateSet({ ends_at: endsAt }))
    .execute()
}

/** May come back, but is not a member again by that. Where there is no ban, nothing changes. */
export async function liftCommunityBan(tx: Tx, communityId: string, userId: string): Promise<void> {
  await hold(tx, communityId)
  await tx.deleteFrom('community_bans').where('community_id', '=', communityId).where('user_id', '=', userId).execute()
}

/**
 * Reads, but writes nothing here until then; null ends that. It outlives leaving and coming back.
 * @throws AppError not_found, conflict for the owner and for moderators, whose role is taken first
 */
export async function muteInCommunity(tx: Tx, communityId: string, userId: string, until: Date | null): Promise<void> {
  await hold(tx, communityId)
  if (until === null) {
    await tx.deleteFrom('community_mutes').where('community_id', '=', communityId).where('user_id', '=', userId).execute()
    return
  }
  const role = await communityRoleOf(tx, communityId, userId)
  if (role === 'owner' || role === 'moderator') {
    throw new AppError('conflict', { message: 'Whoever runs a community cannot be muted in it. Make them a member first.' })
  }
  await tx
    .insertInto('community_mutes')
    .values({ community_id: communityId, user_id: userId, ends_at: until })
    .onConflict((conflict) => conflict.columns(['community_id', 'user_id']).doUpdateSet({ ends_at: until }))
    .execute()
}

async function hold(tx: Tx, communityId: string): Promise<void> {
  const { length } = await lockCommunity(tx, communityId, 'update')
  if (length === 0) throw notFound('There is no such community.')
}
