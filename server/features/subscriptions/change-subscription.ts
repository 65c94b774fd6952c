import type { ResponseOf } from '../../../contracts/endpoint.ts'
import type { subscribe } from '../../../contracts/subscriptions.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { lockSubscriberCount, setSubscriberCount } from '../businesses/index.ts'
import { addSubscription, changeFollowingCount, removeSubscription } from './subscriptions.queries.ts'

type State = ResponseOf<typeof subscribe>

/**
 * Begins or ends a subscription; where it is so already, nothing changes. Subscribing implies following, so the person's
 * count of what they follow changes along with the business's count.
 * @throws AppError not_found
 */
export async function changeSubscription(
  ctx: Pick<Context, 'db' | 'clock' | 'cache'>,
  userId: string,
  businessId: string,
  isSubscribed: boolean,
): Promise<State> {
  const { before, after } = await inTransaction(ctx.db, async (tx) => {
    const before = await lockSubscriberCount(tx, businessId)
    if (before === null) throw notFound('Business not found.')
    const isChanged = isSubscribed
      ? await addSubscription(tx, userId, businessId, ctx.clock.now())
      : await removeSubscription(tx, userId, businessId)
    if (!isChanged) return { before, after: before }
    const by = isSubscribed ? 1 : -1
    await setSubscriberCount(tx, businessId, before + by)
    await changeFollowingCount(tx, userId, by)
    return { before, after: before + by }
  })
  if (after !== before) ctx.cache.invalidate('businesses')
  return { businessId, isSubscribed, subscriberCount: after }
}
