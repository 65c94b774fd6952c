import type { RatingSummary } from '../../../contracts/reviews.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import { requireBusiness } from '../businesses/index.ts'
import { reviewRefusal } from './reviews.policy.ts'
import { ownReviewId, standingOf } from './reviews.queries.ts'
import { loadRatings } from './reviews.view.ts'

/** @throws AppError not_found */
export async function getRatingSummary(db: Db, actor: Actor | null, idOrSlug: string): Promise<RatingSummary> {
  const business = await requireBusiness(db, idOrSlug, actor?.id ?? null)
  return summaryOf(db, actor, business.id)
}

/** The average and the counts are the same for everybody; the own review and whether one may write it are the viewer's. */
export async function summaryOf(db: Db, actor: Actor | null, businessId: string): Promise<RatingSummary> {
  const [counted, standing, own] = await Promise.all([
    db
      .selectFrom('businesses')
      .select(['average_rating', 'total_ratings', 'rating_counts'])
      .where('id', '=', businessId)
      .executeTakeFirst(),
    actor ? standingOf(db, actor.id, businessId) : null,
    actor ? ownReviewId(db, actor.id, businessId) : undefined,
  ])
  if (!counted) throw notFound('Business not found.')
  const refusal = reviewRefusal(standing)
  const [rating] = own ? await loadRatings(db, actor, businessId, [own.id]) : []
  return {
    average: counted.average_rating,
    total: counted.total_ratings,
    counts: counted.rating_counts,
    own: rating ?? null,
    mayReview: refusal === null,
    refusal,
  }
}
