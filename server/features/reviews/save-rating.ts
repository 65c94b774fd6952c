import type { Parsed } from '../../../contracts/endpoint.ts'
import type { saveRating as contract, RatingSummary } from '../../../contracts/reviews.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { lockRatingCounts, requireBusiness, setRatingCounts } from '../businesses/index.ts'
import { summaryOf } from './rating-summary.ts'
import { reviewRefusal } from './reviews.policy.ts'
import { standingOf } from './reviews.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events'>
type Given = Parsed<(typeof contract)['body']>

/** Writes or changes somebody's one review of a business; the same again changes nothing. @throws AppError not_found, forbidden */
export async function saveRating(ctx: Ctx, actor: Actor, idOrSlug: string, given: Given): Promise<RatingSummary> {
  const business = await requireBusiness(ctx.db, idOrSlug)
  const isRatingChanged = await inTransaction(ctx.db, async (tx) => {
    const counts = await lockRatingCounts(tx, business.id)
    if (counts === null) throw notFound('Business not found.')
    const refusal = reviewRefusal(await standingOf(tx, actor.id, business.id))
    if (refusal !== null) throw new AppError('forbidden', { message: refusal })
    const { id, before, isNews } = await write(tx, { businessId: business.id, userId: actor.id, given, now: ctx.clock.now() })
    if (before !== given.rating) await setRatingCounts(tx, business.id, moved(counts, before, given.rating))
    if (isNews) await ctx.events.publish(tx, 'review.written', { reviewId: id })
    return before !== given.rating
  })
  if (isRatingChanged) ctx.cache.invalidate('businesses')
  return summaryOf(ctx.db, actor, business.id)
}

/** Takes somebody's review of a business back, with its votes and its reply. @throws AppError not_found */
export async function deleteRating(ctx: Pick<Context, 'db' | 'cache'>, actor: Actor, idOrSlug: string): Promise<RatingSummary> {
  const business = await requireBusiness(ctx.db, idOrSlug)
  const isDeleted = await inTransaction(ctx.db, async (tx) => {
    const counts = await lockRatingCounts(tx, business.id)
    if (counts === null) throw notFound('Business not found.')
    const deleted = await tx
      .deleteFrom('reviews')
      .where('business_id', '=', business.id)
      .where('user_id', '=', actor.id)
      .returning('rating')
      .executeTakeFirst()
    if (deleted) await setRatingCounts(tx, business.id, moved(counts, deleted.rating, null))
    return deleted !== undefined
  })
  if (isDeleted) ctx.cache.invalidate('businesses')
  return summaryOf(ctx.db, actor, business.id)
}

/** The counts after one review went from so many stars to so many; `null` is no review. */
const moved = (counts: readonly number[], from: number | null, to: number | null): number[] =>
  counts.map((count, i) => count - (i + 1 === from ? 1 : 0) + (i + 1 === to ? 1 : 0))

type Write = { businessId: string; userId: string; given: Given; now: Date }

/** The stars that stood there before, and whether the stars or the words are news. The business is locked by the caller. */
async function write(tx: Tx, { businessId, userId, given, now }: Write): Promise<{ id: string; before: number | null; isNews: boolean }> {
  const values = { rating: given.rating, review: given.review || null, is_freebie: given.isFreebie }
  const old = await tx
    .selectFrom('reviews')
    .select(['id', 'rating', 'review', 'is_freebie'])
    .where('business_id', '=', businessId)
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!old) {
    const id = newId()
    await tx
      .insertInto('reviews')
      .values({ id, business_id: businessId, user_id: userId, ...values, created_at: now, updated_at: now })
      .execute()
    return { id, before: null, isNews: true }
  }
  const isNews = old.rating !== values.rating || old.review !== values.review
  if (isNews || old.is_freebie !== values.is_freebie) {
    await tx
      .updateTable('reviews')
      .set({ ...values, edited_at: now, updated_at: now })
      .where('id', '=', old.id)
      .execute()
  }
  return { id: old.id, before: old.rating, isNews }
}
