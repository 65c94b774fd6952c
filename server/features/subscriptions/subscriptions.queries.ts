import type { Db, Tx } from '../../db/connect.ts'

/** Locked first by every writer of its count, so that two of them meet here and not crosswise in a deadlock. */
export const lockBusiness = (tx: Tx, businessId: string) =>
  tx.selectFrom('businesses').select('subscriber_count').where('id', '=', businessId).forNoKeyUpdate().executeTakeFirst()

/** Whether there was none before. */
export async function addSubscriber(tx: Tx, userId: string, businessId: string, now: Date): Promise<boolean> {
  const added = await tx
    .insertInto('subscriptions')
    .values({ user_id: userId, business_id: businessId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return added !== undefined
}

/** Whether there was one. */
export async function removeSubscriber(tx: Tx, userId: string, businessId: string): Promise<boolean> {
  const removed = await tx
    .deleteFrom('subscriptions')
    .where('user_id', '=', userId)
    .where('business_id', '=', businessId)
    .returning('user_id')
    .executeTakeFirst()
  return removed !== undefined
}

export async function countFollowed(tx: Tx, userId: string, businessId: string, by: 1 | -1): Promise<void> {
  await tx
    .updateTable('businesses')
    .set((eb) => ({ subscriber_count: eb('subscriber_count', '+', by) }))
    .where('id', '=', businessId)
    .execute()
  await tx
    .updateTable('users')
    .set((eb) => ({ following_count: eb('following_count', '+', by) }))
    .where('id', '=', userId)
    .execute()
}

export async function isSubscribed(db: Db, userId: string, businessId: string): Promise<boolean> {
  const subscription = await db
    .selectFrom('subscriptions')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('business_id', '=', businessId)
    .executeTakeFirst()
  return subscription !== undefined
}
