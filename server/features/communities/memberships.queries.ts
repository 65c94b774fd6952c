import { sql } from 'kysely'
import type { CommunityRole } from '#contracts/communities.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { AppError } from '#server/kernel/errors.ts'

/** Writes to `community_members` also update `member_count`, so callers must lock the community's row for update. */

/** Memberships per person, since the feed of all of them is one query. */
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
 * Adds a member; an existing member keeps their role. Deletes their join request and any invitation by name.
 * @throws AppError conflict at the limit of memberships
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
    throw new AppError('conflict', { message: `A person can be in up to ${maxMemberships} communities. Leave one first.` })
  }
}

/** Also ends the invitations they issued as a moderator. @returns whether they were a member */
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

/** Revokes the open invitations of a person who may no longer invite. */
export const revokeInvitationsBy = (tx: Tx, communityId: string, userId: string, now: Date) =>
  tx
    .updateTable('community_invitations')
    .set({ revoked_at: now })
    .where('community_id', '=', communityId)
    .where('invited_by', '=', userId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()

export async function removeRequest(tx: Tx, communityId: string, userId: string): Promise<boolean> {
  const removed = await tx
    .deleteFrom('community_requests')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst()
  return removed !== undefined
}

/** Call in the transaction of a block, which has locked both people. Ends their invitations to each other. */
export const endInvitationsBetween = (tx: Tx, one: string, other: string) =>
  sql`
    delete from community_invitations where used_at is null
      and ((invited_by = ${one}::uuid and invited_id = ${other}::uuid) or (invited_by = ${other}::uuid and invited_id = ${one}::uuid))`.execute(
    tx,
  )
