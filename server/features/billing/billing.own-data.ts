import type { EraseStep } from '#server/kernel/own-data.ts'
import { cancelHere } from './change-agreement.ts'

const batch = 50

/**
 * Cancels recurring purchases. They end here immediately, and at the provider by a job queued in the same transaction, however
 * long the provider is unreachable. Past purchases and payments stay as business records without a name.
 */
export const cancelPurchases: EraseStep = {
  name: 'purchases',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db
      .selectFrom('agreements')
      .select('id')
      .where('payer_id', '=', userId)
      .where('status', 'in', ['pending', 'active', 'past_due'])
      .where('canceled_at', 'is', null)
      .limit(batch)
      .execute()
    for (const { id } of rows) await cancelHere(ctx, id, null)
    return rows.length
  },
}
