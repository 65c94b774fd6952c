import type { Rating } from '../../../contracts/reviews.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { lockVisibleReview, standingOf } from './reviews.queries.ts'
import { loadRatings } from './reviews.view.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>

/**
 * Writes or changes the business's answer to a review, or takes it back (`null`). Any of those who run the business may; a changed
 * answer keeps its time. @throws AppError not_found, forbidden
 */
export async function changeReply(ctx: Ctx, actor: Actor, reviewId: string, content: string | null): Promise<Rating> {
  const businessId = await inTransaction(ctx.db, async (tx) => {
    const review = await lockVisibleReview(tx, actor.id, reviewId)
    if (!review) throw notFound('This review is not here any more.')
    const { runsBusiness } = await standingOf(tx, actor.id, review.business_id)
    if (!runsBusiness) throw new AppError('forbidden', { message: 'Only those who run the business answer its reviews.' })
    if (content === review.reply) return review.business_id
    const isNew = review.reply === null
    await tx
      .updateTable('reviews')
      .set({
        reply: content,
        replied_by: content === null ? null : actor.id,
        ...(content === null ? { replied_at: null } : isNew ? { replied_at: ctx.clock.now() } : {}),
      })
      .where('id', '=', reviewId)
      .execute()
    if (content !== null && isNew) await ctx.events.publish(tx, 'review.replied', { reviewId })
    return review.business_id
  })
  const [rating] = await loadRatings(ctx.db, actor, businessId, [reviewId])
  if (!rating) throw notFound('This review is not here any more.')
  return rating
}
