import type { Tx } from '#server/db/connect.ts'

/**
 * Counts of 1 to 5 stars; null if there is no such business. Writing or deleting a review must lock these first, like
 * `lockSubscriberCount`.
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

/** Total and sum are derived from the counts. */
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

/**
 * The current count; null if there is no such business. Every write to a business's counts must take this lock first, to prevent
 * deadlocks.
 */
export async function lockSubscriberCount(tx: Tx, businessId: string): Promise<number | null> {
  const business = await tx
    .selectFrom('businesses')
    .select('subscriber_count')
    .where('id', '=', businessId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return business?.subscriber_count ?? null
}

export const setSubscriberCount = (tx: Tx, businessId: string, count: number) =>
  tx.updateTable('businesses').set({ subscriber_count: count }).where('id', '=', businessId).execute()
