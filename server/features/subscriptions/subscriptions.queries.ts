import type { Tx } from '../../db/connect.ts'

/** Whether there was none before. */
export async function addSubscription(tx: Tx, userId: string, businessId: string, now: Date): Promise<boolean> {
  const added = await tx
    .insertInto('subscriptions')
    .values({ user_id: userId, business_id: businessId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return added !== undefined
}

/** Whether there was one. */
export async function removeSubscription(tx: Tx, userId: string, businessId: string): Promise<boolean> {
  const removed = await tx
    .deleteFrom('subscriptions')
    .where('user_id', '=', userId)
    .where('business_id', '=', businessId)
    .returning('user_id')
    .executeTakeFirst()
  return removed !== undefined
}
