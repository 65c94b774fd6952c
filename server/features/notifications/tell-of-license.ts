import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { licenseKeepers, licenseOf } from './news.queries.ts'
import { tell } from './tell.ts'

type Ctx = Pick<Context, 'db' | 'live' | 'clock'>
type Change = { verificationId: string; change: 'verified' | 'rejected' | 'expiring' | 'ended' }

/** What became of a license, to the owner and the managers: nobody did it, and nobody can switch it off. The mail is not ours. */
export async function tellOfLicense(ctx: Ctx, { verificationId, change }: Change): Promise<void> {
  const told = await inTransaction(ctx.db, async (tx) => {
    const license = await licenseOf(tx, verificationId)
    if (!license) return []
    const userIds: string[] = []
    for (const userId of await licenseKeepers(tx, license.business_id)) {
      const isTold = await tell(
        tx,
        {
          userId,
          type: `license_${change}`,
          // Each warning by itself, and each once.
          groupKey: `license:${change}:${verificationId}${change === 'expiring' ? `:${license.warned_days}` : ''}`,
          actorId: null,
          doneAt: license.updated_at,
          isOnce: true,
          businessId: license.business_id,
        },
        ctx.clock.now(),
      )
      if (isTold) userIds.push(userId)
    }
    return userIds
  })
  if (told.length > 0) await ctx.live.publish({ kind: 'notifications', userIds: told })
}
