import { type RawBuilder, sql } from 'kysely'
import type { RatingSort } from '../../../contracts/reviews.ts'
import type { Db } from '../../db/connect.ts'
import { AppError } from '../../kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { notBlocked } from '../people/index.ts'

type Query = { sort: RatingSort; limit: number; cursor?: string | undefined }

/** The last row of the page before: `rank` is the stars or the helpful votes, 0 where the order knows none. */
type After = { rank: number; createdAt: string; id: string }
type Row = { id: string; rank: number; created_at: Date }

/**
 * The ids of one page of a business's reviews, each order along an index of its own (migration 1215). Reviews by people whom the
 * viewer has blocked, or who blocked the viewer, are left out; they stay in the average and the counts, which are the same for all.
 * @throws AppError invalid_input
 */
export async function reviewPage(db: Db, businessId: string, viewerId: string | null, query: Query): Promise<Page<string>> {
  const after = readCursor(query.cursor, query.sort)
  const { rows } = await pageQuery({ businessId, viewerId, sort: query.sort, after, limit: query.limit + 1 }).execute(db)
  const { items, nextCursor } = toPage(rows, query.limit, (row) => [query.sort, row.rank, row.created_at.toISOString(), row.id])
  return { items: items.map((row) => row.id), nextCursor }
}

/** Names its order, so that a cursor of another one is refused instead of misread. */
function readCursor(cursor: string | undefined, sort: RatingSort): After | null {
  const key = decodeCursor(cursor, ['string', 'number', 'time', 'id'])
  if (key === null) return null
  const [of, rank, createdAt, id] = key
  const most = sort === 'newest' ? 0 : sort === 'helpful' ? 2_147_483_647 : 5
  if (of !== sort || !Number.isInteger(rank) || rank < 0 || rank > most) {
    throw new AppError('invalid_input', {
      message: 'This cursor is not valid. Start again from the first page.',
      fields: { cursor: 'Not valid' },
    })
  }
  return { rank, createdAt, id }
}

type Selection = { businessId: string; viewerId: string | null; sort: RatingSort; after: After | null; limit: number }

export function pageQuery({ businessId, viewerId, sort, after, limit }: Selection): RawBuilder<Row> {
  const select = (rank: RawBuilder<unknown>) => sql`
    select id, ${rank} as rank, created_at from reviews
    where business_id = ${businessId} and moderation is null and ${notBlocked(viewerId, 'reviews.user_id')}`
  const time = sql`${after?.createdAt}::timestamptz`
  const id = sql`${after?.id}::uuid`

  if (sort === 'newest') {
    return sql<Row>`${select(sql`0`)} ${after ? sql`and (created_at, id) < (${time}, ${id})` : sql``}
      order by created_at desc, id desc limit ${limit}`
  }
  if (sort !== 'lowest') {
    const column = sql.ref(sort === 'helpful' ? 'helpful_count' : 'rating')
    return sql<Row>`${select(column)} ${after ? sql`and (${column}, created_at, id) < (${after.rank}::integer, ${time}, ${id})` : sql``}
      order by ${column} desc, created_at desc, id desc limit ${limit}`
  }
  if (!after) return sql<Row>`${select(sql`rating`)} order by rating, created_at desc, id desc limit ${limit}`
  // Up by stars and down by time: no comparison of rows says that, so the rest of these stars comes first, then those with more.
  return sql<Row>`
    (${select(sql`rating`)} and rating = ${after.rank}::integer and (created_at, id) < (${time}, ${id})
      order by created_at desc, id desc limit ${limit})
    union all
    (${select(sql`rating`)} and rating > ${after.rank}::integer order by rating, created_at desc, id desc limit ${limit})
    order by rank, created_at desc, id desc limit ${limit}`
}
