import { type RawBuilder, sql } from 'kysely'
import { type Entitlement, entitlementsOf, forOneBusiness, plansWith } from '../../../contracts/entitlements.ts'
import type { Db } from '../../db/connect.ts'

/** What a business has today. Paid until then is unlocked until then, whatever the provider says meanwhile. */
export const businessEntitlements = async (db: Db, businessId: string, now: Date): Promise<Set<Entitlement>> =>
  unlockedFor(await plansFor(db, businessId, now))

/** The plans of a business, and those of its owner that lift the limit of its menu. */
export const plansFor = (db: Db, businessId: string, now: Date) =>
  db
    .selectFrom('agreements')
    .select(['plan_id', 'business_id', 'status', 'paid_until', 'entitled_until'])
    .where('entitled_until', '>', now)
    .where('plan_id', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('agreements.business_id', '=', businessId),
        eb.and([
          eb('menu_business_id', '=', businessId),
          eb.exists(
            eb
              .selectFrom('business_members')
              .select('user_id')
              .where('business_members.business_id', '=', businessId)
              .whereRef('business_members.user_id', '=', 'agreements.payer_id')
              .where('role', '=', 'owner'),
          ),
        ]),
      ]),
    )
    .orderBy('created_at')
    .execute()

type PlanFor = Awaited<ReturnType<typeof plansFor>>[number]

export const unlockedFor = (rows: readonly Pick<PlanFor, 'plan_id' | 'business_id'>[]): Set<Entitlement> =>
  new Set(
    rows.flatMap(({ plan_id, business_id }) => (business_id === null ? forOneBusiness(plan_id) : [...entitlementsOf([plan_id ?? ''])])),
  )

/** Whether a person, named by a parameter or a column, has a plan of their own with this entitlement. False for a visitor. */
export const hasPlanWith = (entitlement: Entitlement, userId: RawBuilder<unknown>, now: RawBuilder<Date | null>) => sql<boolean>`exists (
  select 1 from agreements
  where agreements.payer_id = ${userId} and agreements.business_id is null
    and agreements.plan_id = any(${plansWith(entitlement)}::text[]) and agreements.entitled_until > ${now}::timestamptz)`

/** Whether subscribing to a business costs something. */
export const asksPrice = (businessId: RawBuilder<unknown>) => sql<boolean>`exists (
  select 1 from subscription_offers
  where subscription_offers.business_id = ${businessId} and subscription_offers.price_cents is not null)`

/** By a plan of their own, or by one of a business that they work for. */
export async function hasPrioritySupport(db: Db, userId: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select ${hasPlanWith('priority_support', sql`${userId}::uuid`, sql`${now}`)} or exists (
      select 1 from business_members join agreements on agreements.business_id = business_members.business_id
      where business_members.user_id = ${userId}::uuid
        and agreements.plan_id = any(${plansWith('priority_support')}::text[]) and agreements.entitled_until > ${now}::timestamptz) as has`.execute(
    db,
  )
  return rows[0]?.has ?? false
}
