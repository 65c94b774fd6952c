import type { Rating } from '#contracts/reviews.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { screenWords } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { helpfulRefusal } from './reviews.policy.ts'
import { lockVisibleReview, reviewerOf } from './reviews.queries.ts'
import { loadRatings } from './reviews.view.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>

/**
 * Writes, changes or deletes (`null`) the business's reply to a review. Any team member with permission may do so. An edited reply keeps
 * its date. @throws AppError not_found, forbidden, invalid_input
 */
export async function changeReply(ctx: Ctx, actor: Actor, reviewId: string, content: string | null): Promise<Rating> {
  const businessId = await inTransaction(ctx.db, async (tx) => {
    const review = await lockVisibleReview(tx, actor.id, reviewId)
    if (!review) throw notFound('This review no longer exists.')
    const { runsBusiness } = await reviewerOf(tx, actor.id, review.business_id)
    if (!runsBusiness) throw new AppError('forbidden', { message: 'Only the team of the business can reply to its reviews.' })
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
  if (!rating) throw notFound('This review no longer exists.')
  return rating
}

type Answered = { business_id: string; reply: string | null }

/**
 * A reply is part of its review and can't be held separately, so text that would be held is rejected.
 * @throws AppError invalid_input
 */
async function requireClean(tx: Tx, ctx: Ctx, actor: Actor, review: Answered, content: string): Promise<void> {
  const { business_id: businessId, reply } = review
  const before = reply === null ? undefined : [reply]
  await screenWords(tx, ctx, actor, { kind: 'review_reply', texts: [content], before, businessId })
}

/** Marks a review as helpful or removes the mark. Idempotent. @throws AppError not_found, forbidden */
export async function changeHelpful(ctx: Ctx, userId: string, reviewId: string, isHelpful: boolean) {
  return inTransaction(ctx.db, async (tx) => {
    const review = await lockVisibleReview(tx, userId, reviewId)
    if (!review) throw notFound('This review no longer exists.')
    const { runsBusiness } = await reviewerOf(tx, userId, review.business_id)
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
