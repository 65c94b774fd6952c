import type { Parsed } from '#contracts/endpoint.ts'
import type { saveRating as contract, RatingSummary } from '#contracts/reviews.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { lockRatingCounts, requireBusiness, setRatingCounts } from '#server/features/businesses/index.ts'
import { holdForReview } from '#server/features/moderation/index.ts'
import { screenWords, type Verdict } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { summaryOf } from './read-reviews.ts'
import { reviewRefusal } from './reviews.policy.ts'
import { reviewerOf } from './reviews.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events'>
type Given = Parsed<(typeof contract)['body']>

/** Creates or updates a person's only review of a business. Idempotent. @throws AppError not_found, forbidden */
export async function saveRating(ctx: Ctx, actor: Actor, idOrSlug: string, given: Given): Promise<RatingSummary> {
  const business = await requireBusiness(ctx.db, idOrSlug)
  const isRatingChanged = await inTransaction(ctx.db, async (tx) => {
    const counts = await lockRatingCounts(tx, business.id)
    if (counts === null) throw notFound('Business not found.')
    const refusal = reviewRefusal(await reviewerOf(tx, actor.id, business.id))
    if (refusal !== null) throw new AppError('forbidden', { message: refusal })
    const now = ctx.clock.now()
    const { id, before, isNews, wasShown, verdict } = await write(tx, ctx, { businessId: business.id, writer: actor, given, now })
    const isHeld = verdict.state === 'held'
    const after = isHeld ? null : given.rating
    const isMoved = wasShown && before !== after
    if (isMoved) await setRatingCounts(tx, business.id, moved(counts, before, after))
    if (isNews && wasShown && !isHeld) await ctx.events.publish(tx, 'review.written', { reviewId: id })
    if (isHeld) {
      const { findings } = verdict
      await holdForReview(tx, { subject: 'review', subjectId: id, userId: actor.id, communityId: null, findings, now })
    }
    return isMoved
  })
  if (isRatingChanged) ctx.cache.invalidate('businesses')
  return summaryOf(ctx.db, actor, business.id)
}

/** Deletes a person's review of a business with its votes and its reply. @throws AppError not_found */
export async function deleteRating(ctx: Pick<Context, 'db' | 'cache'>, actor: Actor, idOrSlug: string): Promise<RatingSummary> {
  const business = await requireBusiness(ctx.db, idOrSlug)
  const isDeleted = await inTransaction(ctx.db, (tx) => takeReviewBack(tx, business.id, actor.id))
  if (isDeleted) ctx.cache.invalidate('businesses')
  return summaryOf(ctx.db, actor, business.id)
}

/** Returns whether there was a review. @throws AppError not_found for the business */
export async function takeReviewBack(tx: Tx, businessId: string, userId: string): Promise<boolean> {
  const counts = await lockRatingCounts(tx, businessId)
  if (counts === null) throw notFound('Business not found.')
  const deleted = await tx
    .deleteFrom('reviews')
    .where('business_id', '=', businessId)
    .where('user_id', '=', userId)
    .returning(['rating', 'moderation'])
    .executeTakeFirst()
  if (deleted?.moderation === null) await setRatingCounts(tx, businessId, moved(counts, deleted.rating, null))
  return deleted !== undefined
}

/** Moves one review between star buckets; null means no review. */
const moved = (counts: readonly number[], from: number | null, to: number | null): number[] =>
  counts.map((count, i) => count - (i + 1 === from ? 1 : 0) + (i + 1 === to ? 1 : 0))

type Write = { businessId: string; writer: Actor; given: Given; now: Date }

type Written = {
  id: string
  before: number | null
  /** Whether the stars or the text changed. */
  isNews: boolean
  /** Moderated reviews stay uncounted however they are changed. */
  wasShown: boolean
  verdict: Verdict
}

/** The caller has locked the business. */
async function write(tx: Tx, ctx: Ctx, { businessId, writer, given, now }: Write): Promise<Written> {
  const values = { rating: given.rating, review: given.review || null, is_freebie: given.isFreebie }
  const old = await tx
    .selectFrom('reviews')
    .select(['id', 'rating', 'review', 'is_freebie', 'moderation'])
    .where('business_id', '=', businessId)
    .where('user_id', '=', writer.id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const id = old?.id ?? newId()
  const wasShown = (old?.moderation ?? null) === null
  const before = old && wasShown ? [old.review ?? ''] : undefined
  const verdict = await screenWords(tx, ctx, writer, { kind: 'review', texts: [given.review], before, subjectId: id, field: 'review' })
  if (!old) {
    await tx
      .insertInto('reviews')
      .values({ id, business_id: businessId, user_id: writer.id, ...values, moderation: verdict.state, created_at: now, updated_at: now })
      .execute()
    return { id, before: null, isNews: true, wasShown, verdict }
  }
  const isNews = old.rating !== values.rating || old.review !== values.review
  if (isNews || old.is_freebie !== values.is_freebie) {
    await tx
      .updateTable('reviews')
      .set({ ...values, ...(wasShown ? { moderation: verdict.state } : {}), edited_at: now, updated_at: now })
      .where('id', '=', id)
      .execute()
  }
  return { id, before: old.rating, isNews, wasShown, verdict }
}
