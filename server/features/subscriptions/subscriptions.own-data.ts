import { inTransaction } from '../../db/transaction.ts'
import type { EraseStep } from '../../kernel/own-data.ts'
import { lockSubscriberCount } from '../businesses/index.ts'
import { lockPeople } from '../people/index.ts'
import { endSubscription } from './change-subscription.ts'

const batch = 50

/** Ends subscriptions as their owner would: with the counts, and the follow that came along. */
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
