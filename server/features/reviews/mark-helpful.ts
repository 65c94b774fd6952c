import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { helpfulRefusal } from './reviews.policy.ts'
import { lockVisibleReview, standingOf } from './reviews.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>

/** Says that a review helped, or takes that back; where it is so already, nothing changes. @throws AppError not_found, forbidden */
export async function changeHelpful(ctx: Ctx, userId: string, reviewId: string, isHelpful: boolean) {
  return inTransaction(ctx.db, async (tx) => {
    const review = await lockVisibleReview(tx, userId, reviewId)
    if (!review) throw notFound('This review is not here any more.')
    const { runsBusiness } = await standingOf(tx, userId, review.business_id)
    const refusal = helpfulRefusal({ isOwn: review.user_id === userId, runsBusiness })
    if (refusal !== null && isHelpful) throw new AppError('forbidden', { message: refusal })
    const changed = isHelpful
      ? await tx
          .insertInto('review_votes')
          .values({ review_id: reviewId, user_id: userId, created_at: ctx.clock.now() })
          .onConflict((conflict) => conflict.doNothing())
          .returning('review_id')
          .executeTakeFirst()
      : await tx
          .deleteFrom('review_votes')
          .where('review_id', '=', reviewId)
          .where('user_id', '=', userId)
          .returning('review_id')
          .executeTakeFirst()
    if (!changed) return { id: reviewId, isHelpful, helpfulCount: review.helpful_count }
    const helpfulCount = review.helpful_count + (isHelpful ? 1 : -1)
    await tx.updateTable('reviews').set({ helpful_count: helpfulCount }).where('id', '=', reviewId).execute()
    if (isHelpful) await ctx.events.publish(tx, 'review.helped', { reviewId, userId })
    return { id: reviewId, isHelpful, helpfulCount }
  })
}
