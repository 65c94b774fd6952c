import { sql } from 'kysely'
import type { Rating } from '../../../contracts/reviews.ts'
import type { Db } from '../../db/connect.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { requireBusiness } from '../businesses/index.ts'

type PageQuery = { limit: number; cursor?: string | undefined }

/** Newest first. Of the writers only the name is told, which a profile that is not public shows too. @throws AppError not_found */
export async function listRatings(db: Db, idOrSlug: string, page: PageQuery): Promise<Page<Rating>> {
  const business = await requireBusiness(db, idOrSlug)
  const rows = await reviewRows(db, business.id, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  return { items: items.map(toRating), nextCursor }
}

type Row = Awaited<ReturnType<typeof reviewRows>>[number]

const reviewRows = (db: Db, businessId: string, after: readonly [createdAt: string, id: string] | null, limit: number) =>
  db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .select(['reviews.id', 'rating', 'review', 'reviews.created_at', 'user_id', 'first_name', 'last_name'])
    .where('business_id', '=', businessId)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(reviews.created_at, reviews.id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`),
    )
    .orderBy('reviews.created_at', 'desc')
    .orderBy('reviews.id', 'desc')
    .limit(limit)
    .execute()

const toRating = (row: Row): Rating => ({
  id: row.id,
  rating: row.rating,
  review: row.review,
  createdAt: row.created_at.toISOString(),
  user: { id: row.user_id, firstName: row.first_name, lastName: row.last_name },
})
