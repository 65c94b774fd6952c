import type { Context } from '../../kernel/context.ts'
import { licenseKeepers, licenseOf } from './news.queries.ts'
import { tellingAlways } from './tell-of-events.ts'

type Ctx = Pick<Context, 'db' | 'live' | 'clock'>
type Change = { verificationId: string; change: 'verified' | 'rejected' | 'expiring' | 'ended' | 'unproven' }

/** What became of a license, to the owner and the managers: nobody did it, and nobody can switch it off. The mail is not ours. */
export async function tellOfLicense(ctx: Ctx, { verificationId, change }: Change): Promise<void> {
  const license = await licenseOf(ctx.db, verificationId)
  if (!license) return
  await tellingAlways(ctx, `license_${change}`, await licenseKeepers(ctx.db, license.business_id), {
    // Each warning by itself, and each once.
    groupKey: `license:${change}:${verificationId}${change === 'expiring' ? `:${license.warned_days}` : ''}`,
    actorId: null,
    doneAt: license.updated_at,
    isOnce: true,
    businessId: license.business_id,
  })
}
