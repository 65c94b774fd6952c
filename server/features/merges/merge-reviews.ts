import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { setRatingCounts } from '#server/features/businesses/index.ts'
import type { Pair } from './merge-tables.ts'
import { supersededReviews } from './merges.queries.ts'

/**
 * A person has one review of a business: of two, the one written or edited last stays. The other one, and reviews by the team, are taken
 * off the page and kept in `merged_reviews` for the author's export. Votes and replies go with them. The caller has locked both businesses.
 * @returns the IDs of the reviews that are no longer shown
 */
export async function mergeReviews(tx: Tx, { fromId, intoId }: Pair, now: Date): Promise<string[]> {
  const { rows: superseded } = await sql<{ id: string }>`
    insert into merged_reviews (id, business_id, user_id, rating, review, is_freebie, reply, created_at, edited_at, merged_at)
    select reviews.id, ${intoId}::uuid, user_id, rating, review, is_freebie, reply, created_at, edited_at, ${now}::timestamptz
    from reviews where id in (${supersededReviews({ fromId, intoId })})
    returning id`.execute(tx)
  const ids = superseded.map(({ id }) => id)
  await sql`delete from reviews where id = any(${ids}::uuid[])`.execute(tx)
  await tx.updateTable('reviews').set({ business_id: intoId }).where('business_id', '=', fromId).execute()
  const { rows } = await sql<{ count: number }>`
    select count(reviews.id)::int as count from generate_series(1, 5) as stars
    left join reviews on business_id = ${intoId}::uuid and rating = stars and moderation is null
    group by stars order by stars`.execute(tx)
  await setRatingCounts(
    tx,
    intoId,
    rows.map(({ count }) => count),
  )
  return ids
}
