import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'
import { forOneBusiness } from '../../../contracts/entitlements.ts'
import type { DB, Db, Tx } from '../../db/connect.ts'
import type { PaymentProvider } from '../../kernel/payments.ts'
import { lockSubscriberCount } from '../businesses/index.ts'
import { lockPeople } from '../people/index.ts'
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

export type LockedAgreement = { row: AgreementRow; subscriberCount: number | null }

/**
 * Locks an agreement with all that changes with it, in the order that everybody keeps: the business, the payer, the agreement.
 * Null when there is none.
 */
export async function lockAgreement(tx: Tx, id: string): Promise<LockedAgreement | null> {
  const parts = await tx.selectFrom('agreements').select(['payer_id', 'subscribe_to']).where('id', '=', id).executeTakeFirst()
  if (!parts) return null
  const subscriberCount = await lockAround(tx, parts)
  const row = await tx.selectFrom('agreements').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row ? { row, subscriberCount } : null
}

/** The business whose subscribers an agreement changes, then its payer. Answers that business's count. */
export async function lockAround(
  tx: Tx,
  { payer_id, subscribe_to }: Pick<AgreementRow, 'payer_id' | 'subscribe_to'>,
): Promise<number | null> {
  const count = subscribe_to === null ? null : await lockSubscriberCount(tx, subscribe_to)
  if (payer_id !== null) await lockPeople(tx, [payer_id])
  return count
}

export const insertAgreement = (tx: Tx, row: Insertable<DB['agreements']>) =>
  tx.insertInto('agreements').values(row).returningAll().executeTakeFirstOrThrow()

/** Whom a plan is for: a checkout of a person's plan names the business whose menu it lifts. */
export const placeOf = ({ plan_id, business_id }: Pick<AgreementRow, 'plan_id' | 'business_id'>, now: Date) =>
  business_id !== null && forOneBusiness(plan_id).length > 0
    ? { business_id: null, menu_business_id: business_id, menu_chosen_at: now }
    : { business_id }

export const findAgreement = (db: Db, id: string) => db.selectFrom('agreements').selectAll().where('id', '=', id).executeTakeFirst()

/** The purchase behind a subscription of this provider, by this account: what another account says is not about it. */
export const findByProvider = (db: Db, { name, accountId }: Pick<PaymentProvider, 'name' | 'accountId'>, subscriptionId: string) =>
  db
    .selectFrom('agreements')
    .selectAll()
    .where('provider', '=', name)
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .where('provider_subscription_id', '=', subscriptionId)
    .executeTakeFirst()

/** Those for the same thing by the same payer that go on, the given one aside: nobody pays twice for one thing. */
export async function otherRunning(tx: Tx, row: Pick<AgreementRow, 'id' | 'payer_id' | 'plan_id' | 'business_id' | 'subscribe_to'>) {
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

/** A ticket for one question to the provider: what it answers is applied only when no later question's answer was. */
export async function takeTicket(db: Db, agreementId: string): Promise<number> {
  const { asked_ticket } = await db
    .updateTable('agreements')
    .set((eb) => ({ asked_ticket: eb('asked_ticket', '+', 1) }))
    .where('id', '=', agreementId)
    .returning('asked_ticket')
    .executeTakeFirstOrThrow()
  return asked_ticket
}

/** The name of a person's highest plan goes on their badge, and when it ends. The person is locked by the caller. */
export async function updateTier(tx: Tx, userId: string, now: Date): Promise<void> {
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

/** When what these purchases unlock ends, as far as it was canceled; null while one of them goes on. */
export function endOf(rows: readonly Pick<AgreementRow, 'status' | 'entitled_until'>[]): Date | null {
  const ends = rows.map((row) => (row.status === 'canceled' ? row.entitled_until : null))
  return ends.reduce((latest, end) => (latest && end ? (latest > end ? latest : end) : null), ends[0] ?? null)
}
