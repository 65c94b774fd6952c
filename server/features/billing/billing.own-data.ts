import type { EraseStep } from '../../kernel/own-data.ts'
import { cancelHere } from './change-agreement.ts'

const batch = 50

/**
 * Cancels what is paid for and would go on. It ends here at once, and at the provider by a job of the same transaction, however long that is
 * away. What was bought and paid stays as a record of trade without a name.
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
