import type { Rating, RatingSort } from '../../../contracts/reviews.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Page } from '../../kernel/keyset.ts'
import { requireBusiness } from '../businesses/index.ts'
import { reviewPage } from './review-pages.ts'
import { loadRatings } from './reviews.view.ts'

type Query = { sort: RatingSort; limit: number; cursor?: string | undefined }

/** Of the writers only the name is told, which a profile that is not public shows too. @throws AppError not_found, invalid_input */
export async function listRatings(db: Db, actor: Actor | null, idOrSlug: string, query: Query): Promise<Page<Rating>> {
  const business = await requireBusiness(db, idOrSlug, actor?.id ?? null)
  const { items, nextCursor } = await reviewPage(db, business.id, actor?.id ?? null, query)
  return { items: await loadRatings(db, actor, business.id, items), nextCursor }
}
