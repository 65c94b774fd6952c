import type { Tx } from '../../db/connect.ts'

/**
 * The count as it is now; null when there is no such business. Locked by every writer of a business's counts before anything
 * else, so that two of them meet here and not crosswise in a deadlock.
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
