import type { ResponseOf } from '../../../contracts/endpoint.ts'
import type { subscribe } from '../../../contracts/subscriptions.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { lockSubscriberCount, setSubscriberCount } from '../businesses/index.ts'
import { addImpliedFollow, refuseBlockedBusiness, removeImpliedFollow } from '../follows/index.ts'
import { lockPeople } from '../people/index.ts'
import {
  addSubscription,
  countDay,
  mayAskPrice,
  paidAgreementOf,
  priceOf,
  removeSubscription,
  subscriptionOf,
} from './subscriptions.queries.ts'

type State = ResponseOf<typeof subscribe>
type Ctx = Pick<Context, 'clock' | 'events'>
type Pair = { userId: string; businessId: string; subscriberCount: number }

/**
 * Begins or ends a subscription; where it is so already, nothing changes. Subscribing implies following: the follow comes along
 * unless there is one, and goes with the subscription unless the person chose it. Where the business asks a price, only whoever
 * has paid gets in, and what is being paid for ends by ending the payments. Those who subscribe already keep their terms.
 * @throws AppError not_found, conflict, payment_required
 */
export async function changeSubscription(
  ctx: Ctx & Pick<Context, 'db' | 'cache'>,
  userId: string,
  businessId: string,
  isSubscribed: boolean,
): Promise<State> {
  const { before, after } = await inTransaction(ctx.db, async (tx) => {
    const before = await lockSubscriberCount(tx, businessId)
    if (before === null) throw notFound('Business not found.')
    await lockPeople(tx, [userId])
    const pair = { userId, businessId, subscriberCount: before }
    const now = ctx.clock.now()
    const existing = await subscriptionOf(tx, userId, businessId)
    if (!isSubscribed) {
      if (!existing) return { before, after: before }
      if (existing.is_paid && (await paidAgreementOf(tx, userId, businessId, now))?.renews) {
        throw new AppError('conflict', {
          message: 'You pay for this subscription. End it under Billing; it stays until the paid period ends.',
        })
      }
      return { before, after: (await endSubscription(ctx, tx, pair)) ?? before }
    }
    await refuseBlockedBusiness(tx, userId, businessId)
    if (existing) return { before, after: before }
    const isPaid = (await paidAgreementOf(tx, userId, businessId, now)) !== null
    if (!isPaid && (await priceOf(tx, businessId)) !== null) {
      if (await mayAskPrice(tx, businessId, now)) {
        throw new AppError('payment_required', { message: 'Subscribing to this business has a price. Buy the subscription first.' })
      }
      throw new AppError('conflict', { message: 'This business takes no new subscriptions at the moment. Following it is free.' })
    }
    return { before, after: (await beginSubscription(ctx, tx, pair, isPaid)) ?? before }
  })
  if (after !== before) ctx.cache.invalidate('businesses')
  return { businessId, isSubscribed, subscriberCount: after }
}

/**
 * Begins a subscription with its counts and the follow that comes along. The business (whose count is `subscriberCount`) and the
 * person are locked by the caller. Answers the new count, or null when there was one already, which is then paid for from now on.
 */
export async function beginSubscription(ctx: Ctx, tx: Tx, pair: Pair, isPaid: boolean): Promise<number | null> {
  const { userId, businessId, subscriberCount } = pair
  const now = ctx.clock.now()
  if (!(await addSubscription(tx, { userId, businessId, isPaid }, now))) return null
  await setSubscriberCount(tx, businessId, subscriberCount + 1)
  await countDay(tx, businessId, now, 'began')
  await addImpliedFollow(tx, userId, businessId, now)
  await ctx.events.publish(tx, 'business.subscribed', { businessId, userId })
  return subscriberCount + 1
}

/**
 * Ends a subscription with its counts and the follow it brought along. The business (whose count is `subscriberCount`) and the
 * person are locked by the caller. Answers the new count, or null when there was no subscription.
 */
export async function endSubscription(ctx: Ctx, tx: Tx, { userId, businessId, subscriberCount }: Pair): Promise<number | null> {
  if (!(await removeSubscription(tx, userId, businessId))) return null
  await setSubscriberCount(tx, businessId, subscriberCount - 1)
  await countDay(tx, businessId, ctx.clock.now(), 'ended')
  await removeImpliedFollow(tx, userId, businessId)
  await ctx.events.publish(tx, 'business.unsubscribed', { businessId, userId })
  return subscriberCount - 1
}
