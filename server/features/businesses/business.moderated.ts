import { sql } from 'kysely'
import { theseIds } from '../../db/these-ids.ts'
import type { ModeratedSubject } from '../moderation/index.ts'
import { lockBusiness } from './claimed.ts'

/**
 * A business as moderators handle it: taken from view, it is in no list, map or search, its page answers 404, and its posts and menu
 * are for its team alone, which goes on in its own pages.
 */
export const moderatedBusiness: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('businesses')
      .leftJoin('business_members', (join) =>
        join.onRef('business_members.business_id', '=', 'businesses.id').on('business_members.role', '=', 'owner'),
      )
      .select(['businesses.id', 'businesses.moderation', 'businesses.created_at', 'business_members.user_id'])
      .where(sql<boolean>`businesses.id = ${theseIds(ids)}`)
      .execute()
    return new Map(
      rows.map((row) => [
        row.id,
        { userId: row.user_id, businessId: row.id, communityId: null, state: row.moderation, createdAt: row.created_at },
      ]),
    )
  },

  async set(tx, ctx, id, state) {
    await lockBusiness(tx, id)
    await tx
      .updateTable('businesses')
      .set({ moderation: state, updated_at: ctx.clock.now() })
      .where('id', '=', id)
      .where(sql<boolean>`moderation is distinct from ${state}`)
      .execute()
  },

  async preview(db, ids) {
    const rows = await db
      .selectFrom('businesses')
      .select(['id', 'slug', 'name', 'description', 'location', 'website', 'image_id'])
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .execute()
    return new Map(
      rows.map((row) => [
        row.id,
        {
          title: row.name,
          text: [row.description, row.location, row.website].filter(Boolean).join('\n'),
          mediaIds: row.image_id === null ? [] : [row.image_id],
          path: `/business/${row.slug}`,
          context: [],
        },
      ]),
    )
  },
}
