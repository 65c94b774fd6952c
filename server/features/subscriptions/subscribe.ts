import type { ResponseOf } from '../../../contracts/endpoint.ts'
import type { subscribe as endpoint } from '../../../contracts/subscriptions.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { addSubscriber, countFollowed, lockBusiness, removeSubscriber } from './subscriptions.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'cache'>
type State = ResponseOf<typeof endpoint>

/** Subscribing implies following, so the person's count of what they follow changes too. Repeating it changes nothing. */
export async function subscribe(ctx: Ctx, userId: string, businessId: string): Promise<State> {
  const subscriberCount = await inTransaction(ctx.db, async (tx) => {
    const business = await lockBusiness(tx, businessId)
    if (!business) throw notFound('Business not found.')
    const isNew = await addSubscriber(tx, userId, businessId, ctx.clock.now())
    if (isNew) await countFollowed(tx, userId, businessId, 1)
    return business.subscriber_count + (isNew ? 1 : 0)
  })
  ctx.cache.invalidate('businesses')
  return { businessId, isSubscribed: true, subscriberCount }
}

/** Ending what does not exist is already so, but the business must exist. */
export async function unsubscribe(ctx: Ctx, userId: string, businessId: string): Promise<State> {
  const subscriberCount = await inTransaction(ctx.db, async (tx) => {
    const business = await lockBusiness(tx, businessId)
    if (!business) throw notFound('Business not found.')
    const wasThere = await removeSubscriber(tx, userId, businessId)
    if (wasThere) await countFollowed(tx, userId, businessId, -1)
    return business.subscriber_count - (wasThere ? 1 : 0)
  })
  ctx.cache.invalidate('businesses')
  return { businessId, isSubscribed: false, subscriberCount }
}
