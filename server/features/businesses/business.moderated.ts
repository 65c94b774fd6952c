import { sql } from 'kysely'
import { pageIds } from '#server/db/page-ids.ts'
import { factsById, type ModeratedSubject } from '#server/kernel/moderated-subject.ts'
import { lockBusiness } from './listing-state.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    /** Moderators hid or removed the business. */
    'business.hidden': { businessId: string }
  }
}

/**
 * A hidden business doesn't appear in lists, on maps or in search, and its page responds with 404 to everyone but its team. Only
 * the team still sees its posts and menu. No one can subscribe to it, and paid subscriptions are canceled; they last until the paid period
 * ends, and can be resumed until then if it's shown again.
 */
export const moderatedBusiness: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('businesses')
      .leftJoin('business_members', (join) =>
        join.onRef('business_members.business_id', '=', 'businesses.id').on('business_members.role', '=', 'owner'),
      )
      .select(['businesses.id', 'businesses.id as businessId', 'business_members.user_id as userId'])
      .select(['businesses.moderation as state', 'businesses.created_at as createdAt'])
      .where(sql<boolean>`businesses.id = ${pageIds(ids)}`)
      .execute()
    return factsById(rows)
  },

  async set(tx, ctx, id, state) {
    await lockBusiness(tx, id)
    await tx
      .updateTable('businesses')
      .set({ moderation: state, updated_at: ctx.clock.now() })
      .where('id', '=', id)
      .where(sql<boolean>`moderation is distinct from ${state}`)
      .execute()
    if (state !== null) await ctx.events.publish(tx, 'business.hidden', { businessId: id })
  },

  async preview(db, ids) {
    const rows = await db
      .selectFrom('businesses')
      .select(['id', 'slug', 'name', 'description', 'location', 'website', 'image_id', 'logo_id'])
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .execute()
    return new Map(
      rows.map((row) => [
        row.id,
        {
          title: row.name,
          text: [row.description, row.location, row.website].filter(Boolean).join('\n'),
          mediaIds: [row.image_id, row.logo_id].filter((id) => id !== null),
          path: `/business/${row.slug}`,
          context: [],
        },
      ]),
    )
  },
}
