import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { saveRating as contract } from '#contracts/reviews.endpoints.ts'
import type { Rating, RatingSummary } from '#contracts/reviews.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { lockRatingCounts, requireBusiness, setRatingCounts } from '#server/features/businesses/index.ts'
import { descriptionsOf, requireReadyMedia } from '#server/features/media/index.ts'
import { holdForReview } from '#server/features/moderation/index.ts'
import { screenWords, type Verdict } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { newId, versionOf } from '#server/kernel/ids.ts'
import type { JobHandlers } from '#server/kernel/jobs.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { loadRatings, summaryOf } from './read-reviews.ts'
import { helpfulRefusal, reviewRefusal } from './reviews.policy.ts'
import { lockReview, photoIdsOf, replacePhotos, reviewerOf } from './reviews.queries.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    'review.written': { reviewId: string }
    'review.replied': { reviewId: string }
    'review.helped': { reviewId: string; userId: string }
  }
}

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    /** A business's own staff can't review it, so people who join its team lose their review. */
    'reviews.withdraw-own': { businessId: string }
  }
}

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events'>
type Given = Parsed<(typeof contract)['body']>

/**
 * Creates or updates a person's only review of a business. Idempotent.
 * @throws AppError not_found, forbidden, invalid_input, conflict if the person changed it elsewhere in the meantime
 */
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
      const about = { subject: 'review', subjectId: id, userId: actor.id, businessId: business.id, communityId: null } as const
      await holdForReview(tx, ctx, { ...about, findings: verdict.findings, now })
    }
    return isMoved
  })
  if (isRatingChanged) ctx.cache.invalidate('businesses')
  return summaryOf(ctx.db, actor, business.id)
}

/** Also deletes the review's votes and reply. */
export async function deleteRating(ctx: Pick<Context, 'db' | 'cache'>, actor: Actor, idOrSlug: string): Promise<RatingSummary> {
  const business = await requireBusiness(ctx.db, idOrSlug)
  const isDeleted = await inTransaction(ctx.db, (tx) => withdrawReview(tx, business.id, actor.id))
  if (isDeleted) ctx.cache.invalidate('businesses')
  return summaryOf(ctx.db, actor, business.id)
}

/** Returns whether there was a review. @throws AppError not_found for the business */
export async function withdrawReview(tx: Tx, businessId: string, userId: string): Promise<boolean> {
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

export const reviewJobs = ({ db, clock, cache }: Pick<Context, 'db' | 'clock' | 'cache'>): Pick<JobHandlers, 'reviews.withdraw-own'> => ({
  async 'reviews.withdraw-own'({ businessId }) {
    const isAnyShown = await inTransaction(db, (tx) => withdrawOwnReviews(tx, businessId, clock.now()))
    if (isAnyShown) cache.invalidate('businesses')
  },
})

/**
 * Moves reviews by the business's team to `merged_reviews` for their authors' exports, with their replies but without votes, like a merge of
 * two businesses. Returns whether any of them was shown.
 */
async function withdrawOwnReviews(tx: Tx, businessId: string, now: Date): Promise<boolean> {
  const counts = await lockRatingCounts(tx, businessId)
  if (counts === null) return false
  const { rows } = await sql<{ rating: number; is_shown: boolean }>`
    with own as (
      delete from reviews using business_members
      where reviews.business_id = ${businessId}::uuid and business_members.business_id = reviews.business_id
        and business_members.user_id = reviews.user_id
      returning reviews.*
    ), stored as (
      insert into merged_reviews (id, business_id, user_id, rating, review, is_freebie, reply, created_at, edited_at, merged_at)
      select id, business_id, user_id, rating, review, is_freebie, reply, created_at, edited_at, ${now}::timestamptz from own
    )
    select rating, moderation is null as is_shown from own`.execute(tx)
  const shown = rows.filter(({ is_shown }) => is_shown)
  if (shown.length === 0) return false
  await setRatingCounts(
    tx,
    businessId,
    shown.reduce((left, { rating }) => moved(left, rating, null), counts),
  )
  return true
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
  /** False for a held, hidden or removed review, which isn't counted even after a change. */
  wasShown: boolean
  verdict: Verdict
}

/** Requires a lock on the business. */
async function write(tx: Tx, ctx: Ctx, { businessId, writer, given, now }: Write): Promise<Written> {
  const values = { rating: given.rating, review: given.review || null, is_freebie: given.isFreebie }
  const old = await tx
    .selectFrom('reviews')
    .select(['id', 'rating', 'review', 'is_freebie', 'moderation', 'edited_at'])
    .where('business_id', '=', businessId)
    .where('user_id', '=', writer.id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const id = old?.id ?? newId()
  const wasShown = (old?.moderation ?? null) === null
  const photosBefore = await photoIdsOf(tx, id)
  const before = old && wasShown ? [old.review ?? '', ...(await descriptionsOf(tx, photosBefore))] : undefined
  const texts = [given.review, ...(await descriptionsOf(tx, given.photoIds ?? photosBefore))]
  const screened = await screenWords(tx, ctx, writer, { kind: 'review', texts, before, subjectId: id, field: 'review' })
  const verdict = old ? screened : await heldIfModeratedBefore(tx, writer.id, businessId, screened)
  if (!old) {
    await tx
      .insertInto('reviews')
      .values({ id, business_id: businessId, user_id: writer.id, ...values, moderation: verdict.state, created_at: now, updated_at: now })
      .execute()
    await changePhotos(tx, writer.id, id, given.photoIds)
    return { id, before: null, isNews: true, wasShown, verdict }
  }
  const isNews = old.rating !== values.rating || old.review !== values.review
  const arePhotosChanged = await changePhotos(tx, writer.id, id, given.photoIds)
  if (isNews || arePhotosChanged || old.is_freebie !== values.is_freebie) {
    if (given.editedAt !== undefined && given.editedAt !== (old.edited_at?.toISOString() ?? null)) {
      throw new AppError('conflict', { message: 'You changed this review elsewhere in the meantime.' })
    }
    await tx
      .updateTable('reviews')
      .set({ ...values, ...(wasShown ? { moderation: verdict.state } : {}), edited_at: now, updated_at: now })
      .where('id', '=', id)
      .execute()
  }
  return { id, before: old.rating, isNews, wasShown, verdict }
}

/** Deleting a review that moderators hid or removed, and writing it again, must not undo their decision. */
async function heldIfModeratedBefore(tx: Tx, userId: string, businessId: string, verdict: Verdict): Promise<Verdict> {
  // Only the audit log still records which business a deleted review was about.
  const { rows } = await sql`
    select from moderation_actions actions
      join audit_log on audit_log.subject_type = 'review' and audit_log.subject_id = actions.subject_id
    where actions.user_id = ${userId}::uuid and actions.subject = 'review' and actions.action in ('hide', 'remove')
      and actions.undone_at is null and audit_log.business_id = ${businessId}::uuid
    limit 1`.execute(tx)
  if (rows.length === 0) return verdict
  const says = 'Moderators hid or removed an earlier review of this business by the same person.'
  return { state: 'held', findings: [...verdict.findings, { rule: 'repeat', says }] }
}

/** Replaces a review's photos; `undefined` keeps them. Returns whether that changed anything. Requires a lock on the review. */
async function changePhotos(tx: Tx, writerId: string, reviewId: string, wanted: readonly string[] | undefined): Promise<boolean> {
  if (wanted === undefined) return false
  if (new Set(wanted).size !== wanted.length) throw invalidField('photoIds', 'Add each photo only once')
  const before = await photoIdsOf(tx, reviewId)
  if (before.join() === wanted.join()) return false
  const added = wanted.filter((id) => !before.includes(id))
  await requireReadyMedia(tx, writerId, added, { kinds: ['image'], field: 'photoIds' })
  await replacePhotos(tx, reviewId, wanted)
  return true
}

type ResponseContext = Pick<Context, 'db' | 'clock' | 'events'>

type ReplyEdit = { content: string | null; version?: string | null | undefined }

/**
 * Writes, changes or deletes (`null`) the business's reply to a review. Any member of its team may do so. An edited reply keeps its date.
 * @throws AppError not_found, forbidden, invalid_input, conflict if a colleague changed it in the meantime
 */
export async function changeReply(ctx: ResponseContext, actor: Actor, reviewId: string, { content, version }: ReplyEdit): Promise<Rating> {
  const businessId = await inTransaction(ctx.db, async (tx) => {
    const review = await lockReview(tx, actor.id, reviewId)
    if (!review?.is_visible) throw missingReview()
    const { runsBusiness } = await reviewerOf(tx, actor.id, review.business_id)
    if (!runsBusiness) throw new AppError('forbidden', { message: 'Only the team of the business can reply to its reviews.' })
    if (content === review.reply) return review.business_id
    if (version !== undefined && version !== (review.reply === null ? null : versionOf(review.reply))) {
      throw new AppError('conflict', { message: 'Someone else on your team changed the reply in the meantime.' })
    }
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
  if (!rating) throw missingReview()
  return rating
}

type Answered = { business_id: string; reply: string | null }

/** A reply is part of its review and can't be held separately, so text that would be held is rejected. */
async function requireClean(tx: Tx, ctx: ResponseContext, actor: Actor, review: Answered, content: string): Promise<void> {
  const { business_id: businessId, reply } = review
  const before = reply === null ? undefined : [reply]
  await screenWords(tx, ctx, actor, { kind: 'review_reply', texts: [content], before, businessId })
}

const missingReview = () => notFound('This review no longer exists.')

/** Idempotent. People can remove their vote even from a review that they no longer see. @throws AppError not_found, forbidden */
export async function changeHelpful(ctx: ResponseContext, userId: string, reviewId: string, isHelpful: boolean) {
  return inTransaction(ctx.db, async (tx) => {
    const review = await lockReview(tx, userId, reviewId)
    if (!review || (isHelpful && !review.is_visible)) throw missingReview()
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
    if (!changed && !review.is_visible) throw missingReview()
    if (!changed) return { id: reviewId, isHelpful, helpfulCount: review.helpful_count }
    const helpfulCount = review.helpful_count + (isHelpful ? 1 : -1)
    await tx.updateTable('reviews').set({ helpful_count: helpfulCount }).where('id', '=', reviewId).execute()
    if (isHelpful) await ctx.events.publish(tx, 'review.helped', { reviewId, userId })
    return { id: reviewId, isHelpful, helpfulCount }
  })
}

const reviewsAtOnce = 50

/** Deletes a person's reviews and subtracts them from the star counts. Replies written for a business belong to the business. */
export const eraseReviews: EraseStep = {
  name: 'reviews',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db.selectFrom('reviews').select('business_id').where('user_id', '=', userId).limit(reviewsAtOnce).execute()
    for (const { business_id: businessId } of rows) await inTransaction(ctx.db, (tx) => withdrawReview(tx, businessId, userId))
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
