import { sql } from 'kysely'
import type { CommunityRole } from '../../../contracts/communities.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { AppError } from '../../kernel/errors.ts'

/** Rows of `community_members`, and `member_count` with them: whoever writes here holds the community's row for update. */

/** In how many communities somebody can be: the feed of all of them is one query. */
const maxMemberships = 500

export async function communityRoleOf(db: Db, communityId: string, userId: string): Promise<CommunityRole | null> {
  const row = await db
    .selectFrom('community_members')
    .select('role')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role ?? null
}

type Membership = { communityId: string; userId: string; role: CommunityRole; now: Date }

/**
 * Makes somebody a member; who is one stays what they are. What they asked, and an invitation that names them, is done with.
 * @throws AppError conflict where they are in too many
 */
export async function addMember(tx: Tx, { communityId, userId, role, now }: Membership): Promise<boolean> {
  const added = await tx
    .insertInto('community_members')
    .values({ community_id: communityId, user_id: userId, role, joined_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (!added) return false
  await changeMemberCount(tx, communityId, 1)
  await requireRoom(tx, userId)
  await removeRequest(tx, communityId, userId)
  await tx
    .updateTable('community_invitations')
    .set({ used_at: now, used_by: userId })
    .where('community_id', '=', communityId)
    .where('invited_id', '=', userId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
  return true
}

async function requireRoom(tx: Tx, userId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('community_members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (count > maxMemberships) {
    throw new AppError('conflict', { message: `Nobody can be in more than ${maxMemberships} communities. Leave one first.` })
  }
}

/** What they gave out as a moderator ends with it. Answers whether they were in it. */
export async function removeMember(tx: Tx, communityId: string, userId: string, now: Date): Promise<boolean> {
  const removed = await tx
    .deleteFrom('community_members')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .returning('role')
    .executeTakeFirst()
  if (!removed) return false
  await changeMemberCount(tx, communityId, -1)
  if (removed.role !== 'member') await revokeInvitationsBy(tx, communityId, userId, now)
  return true
}

const changeMemberCount = (tx: Tx, communityId: string, by: 1 | -1) =>
  tx
    .updateTable('communities')
    .set((eb) => ({ member_count: eb('member_count', '+', by) }))
    .where('id', '=', communityId)
    .execute()

export const setRole = (tx: Tx, communityId: string, userId: string, role: CommunityRole) =>
  tx.updateTable('community_members').set({ role }).where('community_id', '=', communityId).where('user_id', '=', userId).execute()

/** The open ones of somebody who may not invite any more. */
export const revokeInvitationsBy = (tx: Tx, communityId: string, userId: string, now: Date) =>
  tx
    .updateTable('community_invitations')
    .set({ revoked_at: now })
    .where('community_id', '=', communityId)
    .where('invited_by', '=', userId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()

/** Whether there was one. */
export async function removeRequest(tx: Tx, communityId: string, userId: string): Promise<boolean> {
  const removed = await tx
    .deleteFrom('community_requests')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst()
  return removed !== undefined
}

/** In the transaction of a block, which holds both people: neither is invited by the other any more. */
export const endInvitationsBetween = (tx: Tx, one: string, other: string) =>
  sql`
    delete from community_invitations where used_at is null
      and ((invited_by = ${one}::uuid and invited_id = ${other}::uuid) or (invited_by = ${other}::uuid and invited_id = ${one}::uuid))`.execute(
    tx,
  )
