import { type RawBuilder, sql } from 'kysely'
import type { PlanStatus } from '#contracts/billing.ts'
import { type Entitlement, entitlementsOf, forOneBusiness, plansWith } from '#contracts/entitlements.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { lockSubscriberCount } from '#server/features/businesses/index.ts'
import { requirePermission, type TeamBusiness } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { type AgreementRow, endOf } from './agreements.queries.ts'
import { planName } from './plans.ts'

/** What was paid for remains unlocked, whatever the provider reports. */
export const businessEntitlements = async (db: Db, businessId: string, now: Date): Promise<Set<Entitlement>> =>
  unlockedFor(await plansFor(db, businessId, now))

const plansFor = (db: Db, businessId: string, now: Date) =>
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

const unlockedFor = (rows: readonly Pick<PlanFor, 'plan_id' | 'business_id'>[]): Set<Entitlement> =>
  new Set(
    rows.flatMap(({ plan_id, business_id }) => (business_id === null ? forOneBusiness(plan_id) : [...entitlementsOf([plan_id ?? ''])])),
  )

/** SQL condition: the person (a parameter or column) has a personal plan with this entitlement. False for visitors. */
export const hasPlanWith = (entitlement: Entitlement, userId: RawBuilder<unknown>, now: RawBuilder<Date | null>) => sql<boolean>`exists (
  select 1 from agreements
  where agreements.payer_id = ${userId} and agreements.business_id is null
    and agreements.plan_id = any(${plansWith(entitlement)}::text[]) and agreements.entitled_until > ${now}::timestamptz)`

/** SQL condition: subscribing to the business costs money. */
export const hasSubscriptionPrice = (businessId: RawBuilder<unknown>) => sql<boolean>`exists (
  select 1 from subscription_offers
  where subscription_offers.business_id = ${businessId} and subscription_offers.price_cents is not null)`

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

/** @throws AppError not_found, forbidden */
export async function getBusinessPlanStatus(db: Db, actor: Actor, idOrSlug: string, now: Date): Promise<PlanStatus> {
  // Everyone on the team can edit the menu, so they must see its limit.
  const business = await requirePermission(db, actor, idOrSlug, 'menu')
  const rows = await plansFor(db, business.id, now)
  return planStatusOf(rows, unlockedFor(rows), now)
}

export async function getOwnPlanStatus(db: Db, userId: string, now: Date): Promise<PlanStatus> {
  const rows = await db
    .selectFrom('agreements')
    .select(['plan_id', 'status', 'paid_until', 'entitled_until'])
    .where('payer_id', '=', userId)
    .where('business_id', 'is', null)
    .where('plan_id', 'is not', null)
    .where('entitled_until', '>', now)
    .orderBy('created_at')
    .execute()
  return planStatusOf(rows, entitlementsOf(rows.flatMap((row) => row.plan_id ?? [])), now)
}

type Row = Pick<AgreementRow, 'plan_id' | 'status' | 'paid_until' | 'entitled_until'>

function planStatusOf(rows: Row[], unlocked: ReadonlySet<Entitlement>, now: Date): PlanStatus {
  const planIds = [...new Set(rows.flatMap((row) => row.plan_id ?? []))]
  const graces = rows
    .filter((row) => row.status === 'past_due' || (row.status === 'active' && row.paid_until && row.paid_until <= now))
    .flatMap((row) => row.entitled_until ?? [])
    .sort((a, b) => a.getTime() - b.getTime())
  return {
    plans: planIds.map((id) => ({
      id,
      name: planName(id),
      endsAt: endOf(rows.filter((row) => row.plan_id === id))?.toISOString() ?? null,
    })),
    entitlements: [...unlocked],
    graceUntil: graces[0]?.toISOString() ?? null,
  }
}

/**
 * Locks a business for a billing change until the transaction ends. Concurrent changes see each other's result, and a
 * concurrent removal from the team takes effect.
 * @throws AppError not_found, forbidden
 */
export async function lockOwnBusiness(tx: Tx, actor: Actor, idOrSlug: string): Promise<TeamBusiness> {
  const { id } = await requirePermission(tx, actor, idOrSlug, 'billing')
  await lockSubscriberCount(tx, id)
  return requirePermission(tx, actor, id, 'billing', { lock: true })
}
