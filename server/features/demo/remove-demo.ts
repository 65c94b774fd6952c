import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'

export type RemovedDemo = { people: number; businesses: number }

/**
 * Removes the demo people and businesses with all that hangs on them, and nothing else. Real people and businesses whom
 * somebody connected with them keep exact counts.
 */
export async function removeDemo(ctx: Pick<Context, 'db' | 'cache'>): Promise<RemovedDemo> {
  const removed = await inTransaction(ctx.db, async (tx) => {
    await uncountAtRealBusinesses(tx)
    await uncountAtRealPeople(tx)
    const businesses = await tx.deleteFrom('businesses').where('is_demo', '=', true).returning('id').execute()
    const people = await tx.deleteFrom('users').where('is_demo', '=', true).returning('id').execute()
    return { people: people.length, businesses: businesses.length }
  })
  ctx.cache.invalidate('businesses')
  return removed
}

/** Somebody may have used a demo account at a real business: its subscriptions and reviews go, and so do their counts. */
async function uncountAtRealBusinesses(tx: Tx): Promise<void> {
  const subscribed = await tx
    .deleteFrom('subscriptions')
    .using('users')
    .whereRef('users.id', '=', 'subscriptions.user_id')
    .where('users.is_demo', '=', true)
    .returning('subscriptions.business_id')
    .execute()
  for (const { business_id: id } of subscribed) {
    await tx
      .updateTable('businesses')
      .set((eb) => ({ subscriber_count: eb('subscriber_count', '-', 1) }))
      .where('id', '=', id)
      .execute()
  }
  const reviewed = await tx
    .deleteFrom('reviews')
    .using('users')
    .whereRef('users.id', '=', 'reviews.user_id')
    .where('users.is_demo', '=', true)
    .returning(['reviews.business_id', 'reviews.rating'])
    .execute()
  for (const { business_id: id, rating } of reviewed) {
    await tx
      .updateTable('businesses')
      .set((eb) => ({ rating_sum: eb('rating_sum', '-', rating), total_ratings: eb('total_ratings', '-', 1) }))
      .where('id', '=', id)
      .execute()
  }
}

async function uncountAtRealPeople(tx: Tx): Promise<void> {
  const subscriptions = await tx
    .deleteFrom('subscriptions')
    .using('businesses')
    .whereRef('businesses.id', '=', 'subscriptions.business_id')
    .where('businesses.is_demo', '=', true)
    .returning('subscriptions.user_id')
    .execute()
  for (const { user_id: id } of subscriptions) {
    await tx
      .updateTable('users')
      .set((eb) => ({ following_count: eb('following_count', '-', 1) }))
      .where('id', '=', id)
      .execute()
  }
}
