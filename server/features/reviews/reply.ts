import type { Rating } from '../../../contracts/reviews.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { screenWords } from '../screening/index.ts'
import { lockVisibleReview, standingOf } from './reviews.queries.ts'
import { loadRatings } from './reviews.view.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>

/**
 * Writes or changes the business's answer to a review, or takes it back (`null`). Any of those who run the business may; a changed
 * answer keeps its time. @throws AppError not_found, forbidden, invalid_input
 */
export async function changeReply(ctx: Ctx, actor: Actor, reviewId: string, content: string | null): Promise<Rating> {
  const businessId = await inTransaction(ctx.db, async (tx) => {
    const review = await lockVisibleReview(tx, actor.id, reviewId)
    if (!review) throw notFound('This review is not here any more.')
    const { runsBusiness } = await standingOf(tx, actor.id, review.business_id)
    if (!runsBusiness) throw new AppError('forbidden', { message: 'Only those who run the business answer its reviews.' })
    if (content === review.reply) return review.business_id
    if (content !== null) await requireClean(tx, ctx, actor, review, content)
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

type Answered = { business_id: string; reply: string | null }

/**
 * An answer stands in the review that it is to, and cannot wait by itself while that is shown: what would hold other words refuses this.
 * @throws AppError invalid_input
 */
async function requireClean(tx: Tx, ctx: Ctx, actor: Actor, review: Answered, content: string): Promise<void> {
  const { business_id: businessId, reply } = review
  const before = reply === null ? undefined : [reply]
  await screenWords(tx, ctx, actor, { kind: 'review_reply', texts: [content], before, businessId })
}
