import type { ResponseOf } from '../../../contracts/endpoint.ts'
import type { subscribe } from '../../../contracts/subscriptions.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { lockSubscriberCount, setSubscriberCount } from '../businesses/index.ts'
import { addImpliedFollow, refuseBlockedBusiness, removeImpliedFollow } from '../follows/index.ts'
import { lockPeople } from '../people/index.ts'
import { addSubscription, removeSubscription } from './subscriptions.queries.ts'

type State = ResponseOf<typeof subscribe>

/**
 * Begins or ends a subscription; where it is so already, nothing changes. Subscribing implies following: the follow comes along
 * unless there is one, and goes with the subscription unless the person chose it.
 * @throws AppError not_found, conflict
 */
export async function changeSubscription(
  ctx: Pick<Context, 'db' | 'clock' | 'cache' | 'events'>,
  userId: string,
  businessId: string,
  isSubscribed: boolean,
): Promise<State> {
  const { before, after } = await inTransaction(ctx.db, async (tx) => {
    const before = await lockSubscriberCount(tx, businessId)
    if (before === null) throw notFound('Business not found.')
    await lockPeople(tx, [userId])
    if (!isSubscribed) return { before, after: (await endSubscription(tx, userId, businessId, before)) ?? before }
    await refuseBlockedBusiness(tx, userId, businessId)
    const now = ctx.clock.now()
    if (!(await addSubscription(tx, userId, businessId, now))) return { before, after: before }
    await setSubscriberCount(tx, businessId, before + 1)
    await addImpliedFollow(tx, userId, businessId, now)
    await ctx.events.publish(tx, 'business.subscribed', { businessId, userId })
    return { before, after: before + 1 }
  })
  if (after !== before) ctx.cache.invalidate('businesses')
  return { businessId, isSubscribed, subscriberCount: after }
}

/**
 * Ends a subscription with its counts and the follow it brought along. The business (whose count is `subscriberCount`) and the
 * person are locked by the caller. Answers the new count, or null when there was no subscription.
 */
export async function endSubscription(tx: Tx, userId: string, businessId: string, subscriberCount: number): Promise<number | null> {
  if (!(await removeSubscription(tx, userId, businessId))) return null
  await setSubscriberCount(tx, businessId, subscriberCount - 1)
  await removeImpliedFollow(tx, userId, businessId)
  return subscriberCount - 1
}
