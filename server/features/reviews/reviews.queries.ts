import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { type IsForEveryone, syncMediaUses } from '#server/features/media/index.ts'
import { businessNotBlocked, notBlocked } from '#server/features/people/index.ts'
import { canBlockFor } from '#server/features/team/index.ts'
import { newestAfter } from '#server/kernel/keyset.ts'
import { businessPictureId } from '#server/kernel/media-address.ts'
import { excerptLength, type NotifiedSubject, type PublicSubject } from '#server/kernel/notified-subject.ts'
import type { Reviewer } from './reviews.policy.ts'

export const photoIds = sql<string[]>`array(select media_id from review_media where review_media.review_id = reviews.id order by position)`

export type ReviewRow = Awaited<ReturnType<typeof reviewRows>>[number]

export const reviewRows = (db: Db, viewerId: string | null, ids: readonly string[]) =>
  db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .leftJoin('review_votes', (join) =>
      join.onRef('review_votes.review_id', '=', 'reviews.id').on(sql<boolean>`review_votes.user_id = ${viewerId}::uuid`),
    )
    .select([
      'reviews.id',
      'reviews.business_id',
      'reviews.rating',
      'reviews.review',
      'reviews.is_freebie',
      'reviews.created_at',
      'reviews.edited_at',
      'reviews.helpful_count',
      'reviews.reply',
      'reviews.replied_at',
      'reviews.user_id',
      'users.display_name',
      'users.first_name',
      'users.last_name',
      'users.image_id',
      'users.is_profile_public',
      'users.profile_moderation',
      'reviews.moderation',
      'review_votes.user_id as voter_id',
      photoIds.as('photo_ids'),
      canBlockFor(sql`${viewerId}::uuid`, sql`reviews.business_id`, sql`reviews.user_id`).as('may_block'),
    ])
    .where(sql<boolean>`reviews.id = ${pageIds(ids)}`)
    .execute()

/** Newest first, without reviews of businesses the viewer has blocked. Includes held ones only for their author. */
export const personReviewKeys = (db: Db, viewerId: string, personId: string, after: readonly [string, string] | null, limit: number) =>
  newestAfter(
    db
      .selectFrom('reviews')
      .innerJoin('businesses', 'businesses.id', 'reviews.business_id')
      .select(['reviews.id', 'reviews.created_at'])
      .where('reviews.user_id', '=', personId)
      .where(shownTo(viewerId))
      .where('businesses.moderation', 'is', null)
      .where(businessNotBlocked(viewerId, 'reviews.business_id')),
    'reviews.created_at',
    'reviews.id',
    after,
  )
    .limit(limit)
    .execute()

const shownTo = (viewerId: string) =>
  sql<boolean>`(reviews.moderation is null or (reviews.moderation = 'held' and reviews.user_id = ${viewerId}::uuid))`

export const reviewsOfPerson = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('reviews')
    .innerJoin('businesses', 'businesses.id', 'reviews.business_id')
    .select(['reviews.id', 'reviews.rating', 'reviews.review', 'reviews.is_freebie', 'reviews.created_at', 'reviews.edited_at'])
    .select(['reviews.reply', 'reviews.replied_at', 'reviews.moderation', photoIds.as('photo_ids')])
    .select(['businesses.id as business_id', 'businesses.slug', 'businesses.name', 'businesses.type', businessPictureId.as('image_id')])
    .where(sql<boolean>`reviews.id = ${pageIds(ids)}`)
    .execute()

/** `isMember`: the account has completed onboarding. */
export async function reviewerOf(db: Db, userId: string, businessId: string): Promise<Reviewer> {
  const row = await db
    .selectFrom('users')
    .leftJoin('business_members', (join) =>
      join.onRef('business_members.user_id', '=', 'users.id').on('business_members.business_id', '=', businessId),
    )
    .select(['has_completed_onboarding', 'business_members.role'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  return { isMember: row?.has_completed_onboarding ?? false, runsBusiness: row !== undefined && row.role !== null }
}

export const ownReviewId = (db: Db, userId: string, businessId: string) =>
  db.selectFrom('reviews').select('id').where('business_id', '=', businessId).where('user_id', '=', userId).executeTakeFirst()

/** SQL: for a business in the outer query, the number of reviews with text but no reply. No one can reply to held or hidden ones. */
export const unansweredReviews = sql<number>`(
  select count(*)::integer from reviews
  where business_id = businesses.id and review is not null and reply is null and moderation is null)`

/** `is_visible`: the review is public, and no block separates its author from this person. */
export const lockReview = (tx: Tx, viewerId: string, reviewId: string) =>
  tx
    .selectFrom('reviews')
    .select(['id', 'business_id', 'user_id', 'helpful_count', 'reply'])
    .select(sql<boolean>`(moderation is null and ${notBlocked(viewerId, 'reviews.user_id')})`.as('is_visible'))
    .where('id', '=', reviewId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Requires a lock on the review. */
export const photoIdsOf = async (tx: Tx, reviewId: string): Promise<string[]> =>
  (await tx.selectFrom('review_media').select('media_id').where('review_id', '=', reviewId).orderBy('position').execute()).map(
    (row) => row.media_id,
  )

export async function replacePhotos(tx: Tx, reviewId: string, mediaIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('review_media').where('review_id', '=', reviewId).execute()
  await sql`
    insert into review_media (review_id, position, media_id)
    select ${reviewId}::uuid, position - 1, media_id from unnest(${mediaIds}::uuid[]) with ordinality as given (media_id, position)`.execute(
    tx,
  )
  await syncMediaUses(tx, 'review', [reviewId])
}

export const isReviewShown: IsForEveryone = (reviewId) => sql<boolean>`exists (
  select from reviews join businesses on businesses.id = reviews.business_id
  where reviews.id = ${reviewId} and reviews.moderation is null and businesses.moderation is null)`

export type NotifiedReview = { rating: number; review: string | null; reply: string | null }

/** A notification of several reviews is still shown after the latest one is deleted. */
export const notifiedReviews: NotifiedSubject<NotifiedReview> = (asked, viewer) => {
  const words = (column: string) =>
    sql`case when ${notBlocked(viewer.id, 'reviews.user_id')} then left(${sql.ref(column)}, ${excerptLength}) end`
  return sql`
    select asked.id, jsonb_build_object('rating', reviews.rating, 'review', ${words('reviews.review')}, 'reply', ${words('reviews.reply')}) as facts
    from ${asked} asked
      left join reviews on reviews.id = asked.review_id and reviews.moderation is null
    where case asked.type
      when 'review' then reviews.id is not null or asked.actors_count > 1
      when 'review_reply' then reviews.reply is not null
      else reviews.id is not null
    end`
}

export const publicReviews: PublicSubject = ({ unheardPeople }) => ({
  from: sql`reviews where reviews.id = n.review_id and reviews.moderation is null and reviews.user_id <> all(${unheardPeople})
    and (n.type <> 'review_reply' or reviews.reply is not null)`,
  facts: sql`jsonb_build_object('rating', reviews.rating, 'review', left(reviews.review, ${sql.lit(excerptLength)}), 'reply', left(reviews.reply, ${sql.lit(excerptLength)}))`,
})
