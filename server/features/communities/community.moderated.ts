import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import type { CommunityModeration } from '#server/features/moderation/index.ts'
import { AppError } from '#server/kernel/errors.ts'
import { factsById, type ModeratedSubject } from '#server/kernel/moderated-subject.ts'
import { communityAccess, grantsAccess, hasOwner, lockCommunity } from './community-access.ts'
import { communityRoleOf, removeMember, removeRequest } from './memberships.queries.ts'

/** For the site's moderators, not the community's own. */
export const moderatedCommunity: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('communities')
      .innerJoin('community_members', (join) =>
        join.onRef('community_members.community_id', '=', 'communities.id').on('community_members.role', '=', 'owner'),
      )
      .select(['communities.id', 'community_members.user_id as userId'])
      .select(['communities.moderation as state', 'communities.created_at as createdAt'])
      .where(sql<boolean>`communities.id = ${pageIds(ids)}`)
      .execute()
    return factsById(rows)
  },

  /** A hidden community is unlisted and visible only to its owner. No counter includes communities. */
  async set(tx, ctx, id, state) {
    await lockCommunity(tx, id)
    await tx
      .updateTable('communities')
      .set({ moderation: state, updated_at: ctx.clock.now() })
      .where('id', '=', id)
      .where(sql<boolean>`moderation is distinct from ${state}`)
      .where(hasOwner)
      .execute()
  },

  async preview(db, ids) {
    const rows = await db
      .selectFrom('communities')
      .select(['id', 'slug', 'name', 'description', 'rules', 'image_id'])
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where(hasOwner)
      .execute()
    return new Map(
      rows.map((row) => [
        row.id,
        {
          title: row.name,
          text: [row.description, ...row.rules.map((rule, index) => `${index + 1}. ${rule}`)].join('\n'),
          mediaIds: row.image_id === null ? [] : [row.image_id],
          path: `/communities/${row.slug}`,
          context: [],
        },
      ]),
    )
  },
}

export const communityModeration: CommunityModeration = {
  async moderates(db, actor, communityId, now) {
    const row = await db
      .selectFrom('communities')
      .select(communityAccess(sql`${actor.id}::uuid`, now).as('access'))
      .where('id', '=', communityId)
      .executeTakeFirst()
    return row?.access ? grantsAccess(row.access, 'moderate') : false
  },
  setMute: (tx, _ctx, { communityId, userId }, until, isUndo = false) => muteInCommunity(tx, communityId, userId, until, isUndo),
  setBan: (tx, ctx, { communityId, userId }, until) =>
    until === null
      ? liftCommunityBan(tx, communityId, userId)
      : banFromCommunity(tx, communityId, userId, until === 'forever' ? null : until, ctx.clock.now()),
}

// These functions restrict people in one community. They run in moderation's transactions, which check permission. They lock the
// community, which is first in the lock order, and do nothing if it was deleted.

/**
 * Removes a person and bans them until `endsAt`, or permanently if null. Repeating the call changes the end.
 * @throws AppError conflict for the owner
 */
export async function banFromCommunity(tx: Tx, communityId: string, userId: string, endsAt: Date | null, now: Date): Promise<void> {
  const id = await lockCommunity(tx, communityId)
  if (!id) return
  if ((await communityRoleOf(tx, communityId, userId)) === 'owner') {
    throw new AppError('conflict', { message: 'The owner of a community can’t be banned from it. Suspend the account instead.' })
  }
  await removeMember(tx, id, userId, now)
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

/** The person may rejoin, but isn't made a member again. No-op if there is no ban. */
async function liftCommunityBan(tx: Tx, communityId: string, userId: string): Promise<void> {
  await lockCommunity(tx, communityId)
  await tx.deleteFrom('community_bans').where('community_id', '=', communityId).where('user_id', '=', userId).execute()
}

/**
 * Mutes a person until the given time: they can read but not write. Null unmutes. Survives leaving and rejoining.
 * @throws AppError conflict for the owner and for moderators, whose role must be removed first. However, if another of their mutes was
 * undone (`isUndo`), what remains of this one is kept.
 */
async function muteInCommunity(tx: Tx, communityId: string, userId: string, until: Date | null, isUndo: boolean): Promise<void> {
  if (!(await lockCommunity(tx, communityId))) return
  if (until === null) {
    await tx.deleteFrom('community_mutes').where('community_id', '=', communityId).where('user_id', '=', userId).execute()
    return
  }
  const role = await communityRoleOf(tx, communityId, userId)
  if (!isUndo && (role === 'owner' || role === 'moderator')) {
    throw new AppError('conflict', { message: 'Moderators of a community can’t be muted in it. Make them a member first.' })
  }
  await tx
    .insertInto('community_mutes')
    .values({ community_id: communityId, user_id: userId, ends_at: until })
    .onConflict((conflict) => conflict.columns(['community_id', 'user_id']).doUpdateSet({ ends_at: until }))
    .execute()
}
