import { type RawBuilder, sql } from 'kysely'
import { type Entitlement, entitlementsOf, plansWith } from '../../../contracts/entitlements.ts'
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

/** Whether a person, named by a parameter or a column, has a plan of their own with this entitlement. False for a visitor. */
export const hasPlanWith = (entitlement: Entitlement, userId: RawBuilder<unknown>, now: RawBuilder<Date | null>) => sql<boolean>`exists (
  select 1 from agreements
  where agreements.payer_id = ${userId} and agreements.business_id is null
    and agreements.plan_id = any(${plansWith(entitlement)}::text[]) and agreements.entitled_until > ${now}::timestamptz)`

/** Whether subscribing to a business costs something. */
export const asksPrice = (businessId: RawBuilder<unknown>) => sql<boolean>`exists (
  select 1 from subscription_offers
  where subscription_offers.business_id = ${businessId} and subscription_offers.price_cents is not null)`
