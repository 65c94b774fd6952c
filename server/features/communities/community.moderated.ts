import { sql } from 'kysely'
import { theseIds } from '../../db/these-ids.ts'
import type { CommunityModeration, ModeratedSubject } from '../moderation/index.ts'
import { communityAccess, lockCommunity, reaches } from './community-access.ts'
import { banFromCommunity, liftCommunityBan, muteInCommunity } from './standing.ts'

/** A community as moderators of the site handle it: it is not its own moderators who decide about it. */
export const moderatedCommunity: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('communities')
      .leftJoin('community_members', (join) =>
        join.onRef('community_members.community_id', '=', 'communities.id').on('community_members.role', '=', 'owner'),
      )
      .select(['communities.id', 'communities.moderation', 'communities.created_at', 'community_members.user_id'])
      .where(sql<boolean>`communities.id = ${theseIds(ids)}`)
      .execute()
    return new Map(
      rows.map((row) => [
        row.id,
        { userId: row.user_id, businessId: null, communityId: null, state: row.moderation, createdAt: row.created_at },
      ]),
    )
  },

  /** What is hidden is in no list and exists for its owner alone: no counter counts communities. */
  async set(tx, ctx, id, state) {
    await lockCommunity(tx, id, 'update')
    await tx
      .updateTable('communities')
      .set({ moderation: state, updated_at: ctx.clock.now() })
      .where('id', '=', id)
      .where(sql<boolean>`moderation is distinct from ${state}`)
      .execute()
  },

  async preview(db, ids) {
    const rows = await db
      .selectFrom('communities')
      .select(['id', 'slug', 'name', 'description', 'rules', 'image_id'])
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
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

/** What moderation has to know and to do of a community, and of somebody in it. */
export const communityModeration: CommunityModeration = {
  async moderates(db, actor, communityId, now) {
    const row = await db
      .selectFrom('communities')
      .select(communityAccess(sql`${actor.id}::uuid`, now).as('access'))
      .where('id', '=', communityId)
      .executeTakeFirst()
    return row?.access ? reaches(row.access, 'moderate') : false
  },
  setMute: (tx, _ctx, { communityId, userId }, until) => muteInCommunity(tx, communityId, userId, until),
  setBan: (tx, ctx, { communityId, userId }, until) =>
    until === null
      ? liftCommunityBan(tx, communityId, userId)
      : banFromCommunity(tx, communityId, userId, until === 'forever' ? null : until, ctx.clock.now()),
}
