import { type RawBuilder, sql } from 'kysely'
import type { Media } from '#contracts/media.ts'
import type { PersonReview } from '#contracts/reviews.endpoints.ts'
import type { Rating, RatingSort, RatingSummary } from '#contracts/reviews.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { requireBusiness } from '#server/features/businesses/index.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { hiddenName, notBlocked, requireVisiblePerson } from '#server/features/people/index.ts'
import { reasonsOf } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { versionOf } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { bylinePicture } from '#server/kernel/media-address.ts'
import { helpfulRefusal, reviewRefusal } from './reviews.policy.ts'
import { ownReviewId, personReviewKeys, type ReviewRow, reviewerOf, reviewRows, reviewsOfPerson } from './reviews.queries.ts'

type Query = { sort: RatingSort; limit: number; cursor?: string | undefined }

/** Shows only the name of an author with a private profile. */
export async function listRatings(db: Db, actor: Actor | null, idOrSlug: string, query: Query): Promise<Page<Rating>> {
  const business = await requireBusiness(db, idOrSlug, actor?.id ?? null)
  const { items, nextCursor } = await reviewPage(db, business.id, actor?.id ?? null, query)
  return { items: await loadRatings(db, actor, business.id, items), nextCursor }
}

/** Newest first, including the viewer's own held ones. A private profile's list is empty for others. */
export async function listPersonReviews(db: Db, actor: Actor, personId: string, page: Omit<Query, 'sort'>): Promise<Page<PersonReview>> {
  const person = await requireVisiblePerson(db, actor.id, personId)
  if (!person.isPublic && !person.isSelf) return { items: [], nextCursor: null }
  const keys = await personReviewKeys(db, actor.id, personId, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  const { items, nextCursor } = toPage(keys, page.limit, (row) => [row.created_at.toISOString(), row.id])
  return { items: await loadPersonReviews(db, idsOf(items)), nextCursor }
}

async function loadPersonReviews(db: Db, ids: readonly string[]): Promise<PersonReview[]> {
  if (ids.length === 0) return []
  const rows = await reviewsOfPerson(db, ids)
  const [reasons, photos] = await Promise.all([reasonsOf(db, 'review', rows), photosOf(db, rows)])
  const reviews = new Map(
    rows.map((row): [string, PersonReview] => [
      row.id,
      {
        ...textOf(row, photos),
        business: { id: row.business_id, slug: row.slug, name: row.name, type: row.type, imageUrl: bylinePicture(row.image_id) },
        // Null unless the viewer is the author of a held review.
        moderation: row.moderation,
        heldFor: reasons.get(row.id) ?? [],
      },
    ]),
  )
  return ids.flatMap((id) => reviews.get(id) ?? [])
}

export async function getRatingSummary(db: Db, actor: Actor | null, idOrSlug: string): Promise<RatingSummary> {
  const business = await requireBusiness(db, idOrSlug, actor?.id ?? null)
  return summaryOf(db, actor, business.id)
}

/** Average and counts are the same for everyone; the review and the permission to write one are the viewer's own. */
export async function summaryOf(db: Db, actor: Actor | null, businessId: string): Promise<RatingSummary> {
  const [counted, reviewer, own] = await Promise.all([
    db
      .selectFrom('businesses')
      .select(['average_rating', 'total_ratings', 'rating_counts'])
      .where('id', '=', businessId)
      .executeTakeFirst(),
    actor ? reviewerOf(db, actor.id, businessId) : null,
    actor ? ownReviewId(db, actor.id, businessId) : undefined,
  ])
  if (!counted) throw notFound('Business not found.')
  const refusal = reviewRefusal(reviewer)
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

/** The last row of the previous page. `rank` is the stars or the helpful votes, or 0 for sorts without a rank. */
type After = { rank: number; createdAt: string; id: string }
type Row = { id: string; rank: number; created_at: Date }

/**
 * The IDs of one page of a business's reviews. Every sort has its own index. Omits reviews by people separated from the viewer by a block,
 * but the average and the counts, which are the same for everyone, include them.
 */
async function reviewPage(db: Db, businessId: string, viewerId: string | null, query: Query): Promise<Page<string>> {
  const after = readCursor(query.cursor, query.sort)
  const { rows } = await pageQuery({ businessId, viewerId, sort: query.sort, after, limit: query.limit + 1 }).execute(db)
  const { items, nextCursor } = toPage(rows, query.limit, (row) => [query.sort, row.rank, row.created_at.toISOString(), row.id])
  return { items: items.map((row) => row.id), nextCursor }
}

/** The cursor names its sort order, so that a cursor of another order is rejected instead of misread. */
function readCursor(cursor: string | undefined, sort: RatingSort): After | null {
  const key = decodeCursor(cursor, ['string', 'number', 'time', 'id'])
  if (key === null) return null
  const [of, rank, createdAt, id] = key
  const max = sort === 'newest' ? 0 : sort === 'helpful' ? 2_147_483_647 : 5
  if (of !== sort || !Number.isInteger(rank) || rank < 0 || rank > max) {
    throw new AppError('invalid_input', {
      message: 'This cursor isn’t valid. Start again from the first page.',
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
  // Ascending stars with descending time can't be a row comparison, so this reads the rest with the same stars, then reviews with more.
  return sql<Row>`
    (${select(sql`rating`)} and rating = ${after.rank}::integer and (created_at, id) < (${time}, ${id})
      order by created_at desc, id desc limit ${limit})
    union all
    (${select(sql`rating`)} and rating > ${after.rank}::integer order by rating, created_at desc, id desc limit ${limit})
    order by rank, created_at desc, id desc limit ${limit}`
}

/** In the order of the IDs. */
export async function loadRatings(db: Db, actor: Actor | null, businessId: string, ids: readonly string[]): Promise<Rating[]> {
  if (ids.length === 0) return []
  // Accounts without a birthday can't write yet, so they are offered no actions.
  const viewer = actor?.birthday ? actor : null
  const [rows, reviewer] = await Promise.all([
    reviewRows(db, viewer?.id ?? null, ids),
    viewer ? reviewerOf(db, viewer.id, businessId) : null,
  ])
  const [reasons, photos] = await Promise.all([reasonsOf(db, 'review', rows), photosOf(db, rows)])
  const reader = { id: viewer?.id ?? null, runsBusiness: reviewer?.runsBusiness ?? false }
  const ratings = new Map(rows.map((row) => [row.id, toRating(row, reader, { photos, heldFor: reasons.get(row.id) ?? [] })]))
  return ids.flatMap((id) => ratings.get(id) ?? [])
}

const photosOf = (db: Db, rows: readonly { photo_ids: string[] }[]) =>
  mediaOf(
    db,
    rows.flatMap((row) => row.photo_ids),
  )

type TextRow = Pick<
  ReviewRow,
  'id' | 'rating' | 'review' | 'is_freebie' | 'created_at' | 'edited_at' | 'reply' | 'replied_at' | 'photo_ids'
>

const textOf = (row: TextRow, photos: ReadonlyMap<string, Media>) => ({
  id: row.id,
  rating: row.rating,
  review: row.review,
  photos: row.photo_ids.flatMap((id) => photos.get(id) ?? []),
  isFreebie: row.is_freebie,
  createdAt: row.created_at.toISOString(),
  editedAt: row.edited_at?.toISOString() ?? null,
  reply:
    row.reply === null || row.replied_at === null
      ? null
      : { content: row.reply, createdAt: row.replied_at.toISOString(), version: versionOf(row.reply) },
})

/** A display name replaces the real name. */
function namesOf(row: ReviewRow): Pick<Rating['user'], 'firstName' | 'lastName'> {
  if (row.profile_moderation !== null) return { firstName: hiddenName, lastName: null }
  const displayName = row.display_name?.trim()
  return displayName ? { firstName: displayName, lastName: null } : { firstName: row.first_name, lastName: row.last_name }
}

type Reader = { id: string | null; runsBusiness: boolean }
type Extras = { photos: ReadonlyMap<string, Media>; heldFor: string[] }

function toRating(row: ReviewRow, { id: viewerId, runsBusiness }: Reader, { photos, heldFor }: Extras): Rating {
  const isOwn = row.user_id === viewerId
  const isSignedIn = viewerId !== null
  return {
    ...textOf(row, photos),
    user: {
      id: row.user_id,
      ...namesOf(row),
      imageUrl: row.is_profile_public && row.profile_moderation === null ? bylinePicture(row.image_id) : null,
    },
    helpfulCount: row.helpful_count,
    isHelpful: row.voter_id !== null,
    isOwn,
    // Null unless the viewer is the author of a moderated review.
    moderation: row.moderation,
    heldFor,
    abilities: {
      markHelpful: isSignedIn && helpfulRefusal({ isOwn, runsBusiness }) === null,
      reply: runsBusiness,
      report: isSignedIn && !isOwn,
      block: row.may_block,
    },
  }
}
