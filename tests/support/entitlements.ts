import { planTable } from '../../contracts/entitlements.ts'
import type { Db } from '../../server/db/connect.ts'
import { newId } from '../../server/kernel/ids.ts'

type Grant = {
  /** For a business's plan. */
  businessId?: string
  /** For a person's plan; beside `businessId`, who pays. */
  userId?: string
  planId: string
  /** A year from now unless told otherwise. */
  until?: Date
}

/** A plan as it is after a purchase, without one. Answers the agreement's id. */
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
      // What is unlocked ends with the grace, 30 days after what is paid.
      paid_until: new Date(end.getTime() - 30 * 86_400_000),
    })
    .execute()
  // As a purchase does: the session knows by it that there is a plan to ask about.
  if (userId && !businessId) await db.updateTable('users').set({ subscription_tier: planId }).where('id', '=', userId).execute()
  return id
}
