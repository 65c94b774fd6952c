import type { Tx } from '../../db/connect.ts'

/**
 * How many gave 1, 2, 3, 4 and 5 stars; null when there is no such business. Locked before anything else by whoever writes or
 * deletes a review, as `lockSubscriberCount` is.
 */
export async function lockRatingCounts(tx: Tx, businessId: string): Promise<number[] | null> {
  const business = await tx
    .selectFrom('businesses')
    .select('rating_counts')
    .where('id', '=', businessId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return business?.rating_counts ?? null
}

/** Total and sum follow from the counts. */
export const setRatingCounts = (tx: Tx, businessId: string, counts: readonly number[]) =>
  tx
    .updateTable('businesses')
    .set({
      rating_counts: [...counts],
      total_ratings: counts.reduce((total, count) => total + count, 0),
      rating_sum: counts.reduce((sum, count, i) => sum + count * (i + 1), 0),
    })
    .where('id', '=', businessId)
    .execute()
