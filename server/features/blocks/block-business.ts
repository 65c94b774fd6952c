import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { lockSubscriberCount } from '../businesses/index.ts'
import { endRsvpsWith } from '../events/index.ts'
import { removeBusinessFollow } from '../follows/index.ts'
import { lockPeople } from '../people/index.ts'
import { endSubscription } from '../subscriptions/index.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events'>

/**
 * Blocks a business or ends that; where it is so already, nothing changes. A block ends the subscription, the follow and RSVPs. The
 * business stays in the directory, which is a public record.
 * @throws AppError not_found
 */
export async function changeBusinessBlock(ctx: Ctx, userId: string, businessId: string, isBlocked: boolean) {
  const wasSubscribed = await inTransaction(ctx.db, async (tx) => {
    const subscriberCount = await lockSubscriberCount(tx, businessId)
    if (subscriberCount === null) throw notFound('Business not found.')
    await lockPeople(tx, [userId])
    if (!isBlocked) {
      await tx.deleteFrom('business_blocks').where('user_id', '=', userId).where('business_id', '=', businessId).execute()
      return false
    }
    await tx
      .insertInto('business_blocks')
      .values({ user_id: userId, business_id: businessId, created_at: ctx.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const ended = await endSubscription(ctx, tx, { userId, businessId, subscriberCount })
    await removeBusinessFollow(tx, userId, businessId)
    await endRsvpsWith(tx, userId, businessId)
    return ended !== null
  })
  if (wasSubscribed) ctx.cache.invalidate('businesses')
  return { id: businessId, isBlocked }
}
