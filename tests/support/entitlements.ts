import { planTable } from '#contracts/entitlements.ts'
import type { Db } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'

type Grant = {
  /** Set for a business's plan. */
  businessId?: string
  /** Set for a person's plan; with `businessId`, the payer. */
  userId?: string
  planId: string
  /** Defaults to a year from now. */
  until?: Date
}

/** Grants a plan as a purchase would. Returns the agreement's ID. */
export async function grantPlan(db: Db, { businessId, userId, planId, until }: Grant): Promise<string> {
  if (!planTable[planId]) throw new Error(`There is no plan ${planId}.`)
  const id = newId()
  const end = until ?? new Date(Date.now() + 365 * 86_400_000)
  await db
    .insertInto('agreements')
    .values({
      id,
      payer_id: userId ?? null,
      plan_id: planId,
      business_id: businessId ?? null,
      provider: 'invoice',
      provider_subscription_id: `granted:${id}`,
      title: 'Granted by a test',
      amount_cents: 7500,
      currency: 'USD',
      status: 'active',
      entitled_until: end,
      // Entitlements end with the grace period, 30 days after the paid period.
      paid_until: new Date(end.getTime() - 30 * 86_400_000),
    })
    .execute()
  // A session looks for plans only if this is set. A purchase sets it, too.
  if (userId && !businessId) await db.updateTable('users').set({ subscription_tier: planId }).where('id', '=', userId).execute()
  return id
}
