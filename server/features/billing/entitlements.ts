import { type Entitlement, entitlementsOf } from '../../../contracts/entitlements.ts'
import type { Db } from '../../db/connect.ts'

/** What a business has today. Paid until then is unlocked until then, whatever the provider says meanwhile. */
export async function businessEntitlements(db: Db, businessId: string, now: Date): Promise<Set<Entitlement>> {
  const rows = await db
    .selectFrom('agreements')
    .select('plan_id')
    .where('business_id', '=', businessId)
    .where('plan_id', 'is not', null)
    .where('entitled_until', '>', now)
    .execute()
  return entitlementsOf(rows.flatMap((row) => row.plan_id ?? []))
}

/** What a person has today by plans of their own, those for a business aside. */
export async function personEntitlements(db: Db, userId: string, now: Date): Promise<Set<Entitlement>> {
  const rows = await db
    .selectFrom('agreements')
    .select('plan_id')
    .where('payer_id', '=', userId)
    .where('business_id', 'is', null)
    .where('plan_id', 'is not', null)
    .where('entitled_until', '>', now)
    .execute()
  return entitlementsOf(rows.flatMap((row) => row.plan_id ?? []))
}
