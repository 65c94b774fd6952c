import { sql } from 'kysely'
import { pageIds } from '#server/db/page-ids.ts'
import { lockRatingCounts, setRatingCounts } from '#server/features/businesses/index.ts'
import { bylineColumns, unmoderatedName } from '#server/features/people/index.ts'
import { factsById, type ModeratedSubject } from '#server/kernel/moderated-subject.ts'
import { photoIds } from './reviews.queries.ts'

/** Held, hidden and removed reviews don't count toward averages or star counts. */
export const moderatedReview: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('reviews')
      .select(['id', 'user_id as userId', 'business_id as businessId', 'moderation as state', 'created_at as createdAt'])
      .where(sql<boolean>`id = ${pageIds(ids)}`)
      .execute()
    // `businessId` is the reviewed business, whose team may not moderate the review.
    return factsById(rows)
  },

  async set(tx, ctx, id, state) {
    const before = await tx.selectFrom('reviews').select('business_id').where('id', '=', id).executeTakeFirst()
    if (!before) return
    const counts = await lockRatingCounts(tx, before.business_id)
    const review = await tx.selectFrom('reviews').select(['rating', 'moderation']).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
    if (!review || counts === null || review.moderation === state) return
    await tx.updateTable('reviews').set({ moderation: state }).where('id', '=', id).execute()
    if (review.moderation !== null && state !== null) return
    const by = state === null ? 1 : -1
    await setRatingCounts(
      tx,
      before.business_id,
      counts.map((count, i) => (i + 1 === review.rating ? count + by : count)),
    )
    // A review that was held is announced when it becomes visible.
    if (review.moderation === 'held') await ctx.events.publish(tx, 'review.written', { reviewId: id })
  },

  async preview(db, ids) {
    const rows = await db
      .selectFrom('reviews')
      .innerJoin('users', 'users.id', 'reviews.user_id')
      .innerJoin('businesses', 'businesses.id', 'reviews.business_id')
      .select(bylineColumns)
      .select(['reviews.id as review_id', 'reviews.rating', 'reviews.review', 'reviews.reply', 'reviews.replied_at', 'reviews.created_at'])
      .select(['businesses.slug', 'businesses.name'])
      .select(photoIds.as('photo_ids'))
      .where(sql<boolean>`reviews.id = any(${ids}::uuid[])`)
      .execute()
    return new Map(
      rows.map((row) => {
        const author = unmoderatedName(row)
        const text = row.review ?? ''
        const own = { author, text, createdAt: row.created_at.toISOString(), isSubject: true }
        const reply =
          row.reply === null || row.replied_at === null
            ? []
            : [{ author: row.name, text: row.reply, createdAt: row.replied_at.toISOString(), isSubject: false }]
        const title = `${row.name}: ${row.rating} of 5 stars`
        return [row.review_id, { title, text, mediaIds: row.photo_ids, path: `/business/${row.slug}`, context: [own, ...reply] }] as const
      }),
    )
  },
}
