import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { notBlocked } from '#server/features/people/index.ts'
import { mayBlockFor } from '#server/features/team/index.ts'
import { excerptLength, type NotifiedSubject } from '#server/kernel/notified-subject.ts'
import type { Reviewer } from './reviews.policy.ts'

export type ReviewRow = Awaited<ReturnType<typeof reviewRows>>[number]

/** Reviews with the viewer's helpful marks, in no order. */
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
      mayBlockFor(sql`${viewerId}::uuid`, sql`reviews.business_id`, sql`reviews.user_id`).as('may_block'),
    ])
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

/** Locks a review this person may see; undefined if there is none. */
export const lockVisibleReview = (tx: Tx, viewerId: string, reviewId: string) =>
  tx
    .selectFrom('reviews')
    .select(['id', 'business_id', 'user_id', 'helpful_count', 'reply'])
    .where('id', '=', reviewId)
    .where('moderation', 'is', null)
    .where(notBlocked(viewerId, 'reviews.user_id'))
    .forNoKeyUpdate()
    .executeTakeFirst()

export type NotifiedReview = { review: string | null; reply: string | null }

/** If several people reviewed the business, deleting the latest review leaves the others. */
export const notifiedReviews: NotifiedSubject<NotifiedReview> = (asked, viewer) => {
  const words = (column: string) =>
    sql`case when ${notBlocked(viewer.id, 'reviews.user_id')} then left(${sql.ref(column)}, ${excerptLength}) end`
  return sql`
    select asked.id, jsonb_build_object('review', ${words('reviews.review')}, 'reply', ${words('reviews.reply')}) as facts
    from ${asked} asked
      left join reviews on reviews.id = asked.review_id and reviews.moderation is null
    where case asked.type
      when 'review' then reviews.id is not null or asked.actors_count > 1
      when 'review_reply' then reviews.reply is not null
      else reviews.id is not null
    end`
}
