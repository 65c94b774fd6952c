import { sql } from 'kysely'
import { inTransaction } from '#server/db/transaction.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { takeReviewBack } from './write-reviews.ts'

const reviewsAtOnce = 50

/** Deletes a person's reviews along with their stars. Replies written for a business belong to the business. */
export const eraseReviews: EraseStep = {
  name: 'reviews',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db.selectFrom('reviews').select('business_id').where('user_id', '=', userId).limit(reviewsAtOnce).execute()
    for (const { business_id: businessId } of rows) await inTransaction(ctx.db, (tx) => takeReviewBack(tx, businessId, userId))
    if (rows.length > 0) ctx.cache.invalidate('businesses')
    return rows.length
  },
}

const votesAtOnce = 500

export const eraseReviewVotes: EraseStep = {
  name: 'review-votes',
  eraseSome: ({ db }, { id: userId }) =>
    inTransaction(db, async (tx) => {
      const ids = (await tx.selectFrom('review_votes').select('review_id').where('user_id', '=', userId).limit(votesAtOnce).execute()).map(
        (row) => row.review_id,
      )
      if (ids.length === 0) return 0
      await sql`select from reviews where id = any(${ids}::uuid[]) order by id for update`.execute(tx)
      await sql`
        with gone as (delete from review_votes where user_id = ${userId}::uuid and review_id = any(${ids}::uuid[]) returning review_id)
        update reviews set helpful_count = helpful_count - 1 where id in (select review_id from gone)`.execute(tx)
      return ids.length
    }),
}
