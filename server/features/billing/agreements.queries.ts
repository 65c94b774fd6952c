import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'
import { forOneBusiness } from '#contracts/entitlements.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { type CountedBusiness, lockSubscriberCount } from '#server/features/businesses/index.ts'
import { lockPerson } from '#server/features/people/index.ts'
import type { PaymentProvider } from '#server/kernel/payments.ts'
import type { AgreementState } from './agreement-state.ts'
import { planName, tierOrder } from './plans.ts'

export type AgreementRow = Selectable<DB['agreements']>

export const stateOf = (row: AgreementRow): AgreementState => ({
  status: row.status,
  paidUntil: row.paid_until,
  graceUntil: row.grace_until,
  entitledUntil: row.entitled_until,
  pastDueSince: row.past_due_since,
  isCanceled: row.canceled_at !== null,
  isPaused: row.paused_at !== null,
  isClosed: row.closed_at !== null,
})

/** Rows locked before an agreement. `subscribed` is the business, if the agreement is a subscription. */
type LockedAround = { payerId: Locked<'users'> | null; subscribed: CountedBusiness | null }
export type LockedAgreement = { row: AgreementRow } & LockedAround

/** Locks an agreement and the rows that change with it, in the global lock order: business, payer, agreement. */
export async function lockAgreement(tx: Tx, id: string): Promise<LockedAgreement | null> {
  const read = () => tx.selectFrom('agreements').select(['payer_id', 'subscribe_to']).where('id', '=', id).executeTakeFirst()
  const around = await lockAround(tx, read)
  if (!around) return null
  const row = await tx.selectFrom('agreements').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row ? { row, payerId: row.payer_id === null ? null : around.payerId, subscribed: around.subscribed } : null
}

type Parts = Pick<AgreementRow, 'payer_id' | 'subscribe_to'>

/** Locks the business and then the payer of the agreement that `read` finds. Null if it finds none. */
export async function lockAround(tx: Tx, read: () => Promise<Parts | undefined>): Promise<LockedAround | null> {
  for (;;) {
    const parts = await read()
    if (!parts) return null
    const { payer_id, subscribe_to } = parts
    const subscribed = subscribe_to === null ? null : await lockSubscriberCount(tx, subscribe_to)
    // The business has been merged or deleted since it was read, so the row now names another business or none. Nothing is locked yet.
    if (subscribe_to !== null && subscribed === null) continue
    return { payerId: payer_id === null ? null : await lockPerson(tx, payer_id), subscribed }
  }
}

export const insertAgreement = (tx: Tx, row: Insertable<DB['agreements']>) =>
  tx.insertInto('agreements').values(row).returningAll().executeTakeFirstOrThrow()

/** The business a plan is for. A checkout of a personal plan names the business whose menu limit it lifts. */
export const placeOf = ({ plan_id, business_id }: Pick<AgreementRow, 'plan_id' | 'business_id'>, now: Date) =>
  business_id !== null && forOneBusiness(plan_id).length > 0
    ? { business_id: null, menu_business_id: business_id, menu_chosen_at: now }
    : { business_id }

export const findAgreement = (db: Db, id: string) => db.selectFrom('agreements').selectAll().where('id', '=', id).executeTakeFirst()

/** Scoped to the provider account, because another account's subscription is another purchase. */
export const findByProvider = (db: Db, { name, accountId }: Pick<PaymentProvider, 'name' | 'accountId'>, subscriptionId: string) =>
  db
    .selectFrom('agreements')
    .selectAll()
    .where('provider', '=', name)
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .where('provider_subscription_id', '=', subscriptionId)
    .executeTakeFirst()

/** The payer's other running agreements for the same thing, so that no one pays twice. */
export async function findOtherRunningAgreements(
  tx: Tx,
  row: Pick<AgreementRow, 'id' | 'payer_id' | 'plan_id' | 'business_id' | 'subscribe_to'>,
) {
  if (row.payer_id === null) return []
  const rows = await tx
    .selectFrom('agreements')
    .select('id')
    .where('payer_id', '=', row.payer_id)
    .where('id', '<>', row.id)
    .where('status', 'in', ['pending', 'active', 'past_due'])
    .where(
      sql<boolean>`(plan_id, business_id, subscribe_to) is not distinct from (${row.plan_id}, ${row.business_id}::uuid, ${row.subscribe_to}::uuid)`,
    )
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** SQL over `agreements`: whether the payer is on the team of the plan's business. */
export const isPayerOnTeam = sql<boolean>`exists (select from business_members paying
  where paying.business_id = agreements.business_id and paying.user_id = agreements.payer_id)`

/**
 * SQL over `agreements`: whether this is the plan of a business without a team. If it has another team, a former owner keeps paying, because
 * both owners agreed to the transfer, unless that team won a dispute: `endPlans` then cancels the plan.
 */
const isOfNoTeam = sql<boolean>`(agreements.business_id is not null and agreements.payer_id is not null
  and not exists (select from business_members where business_members.business_id = agreements.business_id))`

/**
 * SQL over `agreements`: whether no one may be charged for this anymore. A subscription, because its business closed for good, was deleted,
 * isn't shown to others or has no owner, or because the person whose account gets the payments is gone. A plan, because its business has no
 * team.
 */
export const mustEnd = sql<boolean>`(${isOfNoTeam} or agreements.plan_id is null and (
  not exists (select from businesses subscribed
    join business_members owner on owner.business_id = subscribed.id and owner.role = 'owner'
    where subscribed.id = agreements.subscribe_to and subscribed.moderation is null and subscribed.closure is distinct from 'permanent')
  or exists (select from business_payment_accounts receiving
    where receiving.id = agreements.account_id and receiving.connected_by is null)))`

/** SQL over `agreements`: whether the payer is banned or suspended, and so can only cancel. */
export const isPayerSuspended = (now: Date) => sql<boolean>`exists (select from users payer
  where payer.id = agreements.payer_id and (payer.banned_at is not null or payer.suspended_until > ${now}::timestamptz))`

/**
 * SQL over `agreements`: whether the payer can resume this canceled purchase. It must still be paid for, and no other purchase may
 * replace it. The payer must be neither banned nor suspended. A subscription's business must be open and able to receive payments, and
 * there must be no block between it and the payer. A plan's business must still be the payer's.
 */
export const isResumable = (now: Date) => sql<boolean>`(
  agreements.status = 'canceled' and agreements.closed_at is null and agreements.paid_until > ${now}::timestamptz
  and not ${isPayerSuspended(now)}
  and case when agreements.plan_id is null then not ${mustEnd} and exists (
      select from businesses subscribed where subscribed.id = agreements.subscribe_to and subscribed.closure is null)
    and not exists (select from business_blocks where business_id = agreements.subscribe_to and user_id = agreements.payer_id)
    and not exists (select from business_person_blocks where business_id = agreements.subscribe_to and person_id = agreements.payer_id)
  else agreements.business_id is null or exists (select from business_members owning
    where owning.business_id = agreements.business_id and owning.user_id = agreements.payer_id and owning.role = 'owner') end
  and not exists (select from agreements other
    where other.payer_id = agreements.payer_id and other.id <> agreements.id and other.status in ('pending', 'active', 'past_due')
      and (other.replaces = agreements.id or (other.plan_id, other.business_id, other.subscribe_to)
        is not distinct from (agreements.plan_id, agreements.business_id, agreements.subscribe_to))))`

/** Every request to the provider takes a ticket. Its response is applied only if no response with a later ticket has been applied. */
export async function takeTicket(db: Db, agreementId: string): Promise<number> {
  const { asked_ticket } = await db
    .updateTable('agreements')
    .set((eb) => ({ asked_ticket: eb('asked_ticket', '+', 1) }))
    .where('id', '=', agreementId)
    .returning('asked_ticket')
    .executeTakeFirstOrThrow()
  return asked_ticket
}

export async function updateTier(tx: Tx, userId: Locked<'users'>, now: Date): Promise<void> {
  const rows = await tx
    .selectFrom('agreements')
    .select(['plan_id', 'status', 'entitled_until'])
    .where('payer_id', '=', userId)
    .where('business_id', 'is', null)
    .where('entitled_until', '>', now)
    .where('status', '<>', 'ended')
    .execute()
  const highest = tierOrder.find((planId) => rows.some((row) => row.plan_id === planId))
  await tx
    .updateTable('users')
    .set({
      subscription_tier: highest ? planName(highest) : null,
      subscription_ends_at: endOf(rows.filter((row) => row.plan_id === highest)),
    })
    .where('id', '=', userId)
    .execute()
}

/** When these purchases end if all are canceled; null while any continues. */
export function endOf(rows: readonly Pick<AgreementRow, 'status' | 'entitled_until'>[]): Date | null {
  const ends = rows.map((row) => (row.status === 'canceled' ? row.entitled_until : null))
  return ends.reduce((latest, end) => (latest && end ? (latest > end ? latest : end) : null), ends[0] ?? null)
}
