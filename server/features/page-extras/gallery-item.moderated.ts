import { sql } from 'kysely'
import { pageIds } from '#server/db/page-ids.ts'
import { factsById, type ModeratedSubject } from '#server/kernel/moderated-subject.ts'

/** The page omits held, hidden and removed items. */
export const moderatedGalleryItem: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('gallery_items')
      .select(['id', 'added_by as userId', 'business_id as businessId', 'moderation as state', 'created_at as createdAt'])
      .where(sql<boolean>`id = ${pageIds(ids)}`)
      .execute()
    return factsById(rows)
  },

  async set(tx, ctx, id, state) {
    await tx
      .updateTable('gallery_items')
      .set({ moderation: state, updated_at: ctx.clock.now() })
      .where('id', '=', id)
      .where(sql<boolean>`moderation is distinct from ${state}`)
      .execute()
  },

  async preview(db, ids) {
    const rows = await db
      .selectFrom('gallery_items')
      .innerJoin('businesses', 'businesses.id', 'gallery_items.business_id')
      .select(['gallery_items.id', 'gallery_items.media_id', 'gallery_items.alt', 'businesses.name', 'businesses.slug'])
      .where(sql<boolean>`gallery_items.id = ${pageIds(ids)}`)
      .execute()
    return new Map(
      rows.map((row) => [row.id, { title: row.name, text: row.alt, mediaIds: [row.media_id], path: `/business/${row.slug}`, context: [] }]),
    )
  },
}
