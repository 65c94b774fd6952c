import { inTransaction } from '#server/db/transaction.ts'
import { lockSubscriberCount } from '#server/features/businesses/index.ts'
import { lockPeople } from '#server/features/people/index.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { endSubscription } from './change-subscription.ts'

const batch = 50

/** Ends subscriptions the regular way, with their counts and added follows. */
export const eraseSubscriptions: EraseStep = {
  name: 'subscriptions',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db.selectFrom('subscriptions').select('business_id').where('user_id', '=', userId).limit(batch).execute()
    for (const { business_id: businessId } of rows) {
      await inTransaction(ctx.db, async (tx) => {
        const subscriberCount = await lockSubscriberCount(tx, businessId)
        if (subscriberCount === null) return
        await lockPeople(tx, [userId])
        await endSubscription(ctx, tx, { userId, businessId, subscriberCount })
      })
    }
    if (rows.length > 0) ctx.cache.invalidate('businesses')
    return rows.length
  },
}
