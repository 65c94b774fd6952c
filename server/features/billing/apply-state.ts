import { sql } from 'kysely'
import { chargesItself } from '#contracts/payment-providers.ts'
import type { Tx } from '#server/db/connect.ts'
import { type AuditEntry, recordAudit } from '#server/features/audit/index.ts'
import { businessBlock } from '#server/features/follows/index.ts'
import { beginSubscription, endSubscription } from '#server/features/subscriptions/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { type AgreementState, afterCanceling, isEntitled } from './agreement-state.ts'
import {
  type AgreementRow,
  findOtherRunningAgreements,
  isPayerOnTeam,
  type LockedAgreement,
  lockAgreement,
  mustEnd,
  stateOf,
  updateTier,
} from './agreements.queries.ts'
import { confirmByMail } from './confirmations.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    /** Resumes, pauses or closes the subscription at the provider to match the agreement. */
    'billing.settle': { agreementId: string }
    /** Emails the payer about a failed payment or an unpaid invoice, once per step of a series. */
    'billing.dun': { agreementId: string; since: string; step: DunningStep }
  }
}

export type Ctx = Pick<Context, 'db' | 'clock' | 'events' | 'jobs' | 'log'>
export type DunningStep = 'day-0' | 'day-3' | 'day-10'
export const dunningDays: Record<DunningStep, number> = { 'day-0': 0, 'day-3': 3, 'day-10': 10 }

/** Collected and written last, because the audit log is last in the lock order. */
export type Notes = AuditEntry[]

export async function writeNotes(tx: Tx, notes: Notes): Promise<void> {
  for (const note of notes) await recordAudit(tx, note)
}

export function desiredProviderState(
  row: Pick<AgreementRow, 'payer_id' | 'plan_id' | 'subscribe_to'>,
  { status, isCanceled }: Pick<AgreementState, 'status' | 'isCanceled'>,
): 'charging' | 'paused' | 'closed' {
  if (status === 'ended') return 'closed'
  if (!isCanceled) return 'charging'
  // Pause it so that it can be resumed, or close it if no one is left who could resume it.
  return isAbandoned(row) ? 'closed' : 'paused'
}

/** The payer's account or the subscribed business was deleted, so the payments must end. */
export const isAbandoned = (row: Pick<AgreementRow, 'payer_id' | 'plan_id' | 'subscribe_to'>): boolean =>
  row.payer_id === null || (row.plan_id === null && row.subscribe_to === null)

function isSettled(row: AgreementRow, next: AgreementState): boolean {
  if (!chargesItself(row.provider) || next.isClosed) return true
  const wanted = desiredProviderState(row, next)
  return wanted !== 'closed' && next.isPaused === (wanted === 'paused')
}

/**
 * Writes an agreement's new state and its consequences in the same transaction: the subscription to a business, the tier badge,
 * the job that settles it at the provider, emails and events. Returns whether a subscriber count changed.
 * `actorId` is null for the provider or the passing of time.
 */
export async function applyState(
  ctx: Ctx,
  tx: Tx,
  locked: LockedAgreement,
  next: AgreementState,
  actorId: string | null,
  notes: Notes,
): Promise<boolean> {
  const { row, payerId } = locked
  const before = stateOf(row)
  const now = ctx.clock.now()
  const note = (action: AuditEntry['action'], details: AuditEntry['details'] = {}) =>
    notes.push({
      at: now,
      actorId,
      action,
      subjectType: 'agreement',
      subjectId: row.id,
      businessId: row.business_id ?? row.subscribe_to,
      details: { provider: row.provider, ...details },
    })

  await tx
    .updateTable('agreements')
    .set({
      status: next.status,
      paid_until: next.paidUntil,
      grace_until: next.graceUntil,
      entitled_until: next.entitledUntil,
      past_due_since: next.pastDueSince,
      canceled_at: next.isCanceled ? (row.canceled_at ?? now) : null,
      paused_at: next.isPaused ? (row.paused_at ?? now) : null,
      ended_at: next.status === 'ended' ? (row.ended_at ?? now) : null,
      closed_at: next.isClosed ? (row.closed_at ?? now) : null,
      updated_at: now,
    })
    .where('id', '=', row.id)
    .execute()

  const isTurned = next.isCanceled !== before.isCanceled
  // The provider may charge once more before it receives a cancellation.
  const isMoved = next.isCanceled && next.entitledUntil?.getTime() !== before.entitledUntil?.getTime()
  if (isTurned) {
    const turn = next.isCanceled ? 'canceled' : 'resumed'
    note(`agreement.${turn}`, { paidUntil: next.paidUntil?.toISOString() ?? null })
    if (before.status !== 'pending') await confirmByMail(ctx, tx, { agreementId: row.id, event: turn, at: now })
  }
  if (next.pastDueSince && !before.pastDueSince) {
    note('agreement.payment_failed', { graceUntil: next.graceUntil?.toISOString() ?? null })
    for (const [step, days] of Object.entries(dunningDays) as [DunningStep, number][]) {
      const data = { agreementId: row.id, since: next.pastDueSince.toISOString(), step }
      await ctx.jobs.enqueue('billing.dun', data, { tx, startAfterSeconds: days * 86_400 })
    }
  }
  if (!isSettled(row, next)) await ctx.jobs.enqueue('billing.settle', { agreementId: row.id }, { tx })

  let countChanged = false
  if (isEntitled(next.status) && !isEntitled(before.status)) {
    note('agreement.activated', { planId: row.plan_id, amountCents: row.amount_cents, currency: row.currency })
    countChanged = await begin(ctx, tx, locked)
    // A canceled agreement doesn't end another one for the same thing.
    if (!next.isCanceled) await replaceOthers(ctx, tx, row, actorId, notes)
  } else if (next.status === 'ended' && before.status !== 'ended') {
    note('agreement.ended')
    if (isEntitled(before.status)) countChanged = await end(ctx, tx, locked)
  } else if (!isTurned && !isMoved) return false

  if (row.plan_id !== null) {
    const userId = row.business_id === null ? payerId : null
    if (userId) await updateTier(tx, userId, now)
    if (row.business_id ?? userId) await ctx.events.publish(tx, 'billing.entitlements-changed', { businessId: row.business_id, userId })
  }
  return countChanged
}

export async function begin(ctx: Ctx, tx: Tx, { row, payerId: userId, subscribed }: LockedAgreement): Promise<boolean> {
  if (userId && row.business_id !== null && (await isOutsideTeam(tx, row.id))) {
    // The payer lost the business between checkout and payment.
    await ctx.jobs.enqueue('billing.end-plans', { agreementIds: [row.id] }, { tx })
  }
  if (!userId || !subscribed) return false
  const { businessId } = subscribed
  if (await businessBlock(tx, userId, businessId)) {
    // Blocked between checkout and payment, so don't subscribe the person against their will or charge them again.
    await ctx.events.publish(tx, 'business.unsubscribed', { businessId, userId })
    return false
  }
  const ending = await tx.selectFrom('agreements').select('id').where('id', '=', row.id).where(mustEnd).executeTakeFirst()
  // If the business can no longer receive payments, the payer keeps the paid period but isn't charged again.
  if (ending) await ctx.jobs.enqueue('billing.end-subscriptions', { businessId }, { tx })
  return (await beginSubscription(ctx, tx, { userId, ...subscribed }, true)) !== null
}

const isOutsideTeam = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.selectFrom('agreements').select('id').where('id', '=', id).where(sql<boolean>`not ${isPayerOnTeam}`).executeTakeFirst()) !==
  undefined

/** Keeps a free subscription from before the business set a price, and one that another purchase still pays for. */
async function end(ctx: Ctx, tx: Tx, { row, payerId: userId, subscribed }: LockedAgreement): Promise<boolean> {
  if (!userId || !subscribed) return false
  const { businessId } = subscribed
  const subscription = await tx
    .selectFrom('subscriptions')
    .select('is_paid')
    .where('user_id', '=', userId)
    .where('business_id', '=', businessId)
    .executeTakeFirst()
  if (!subscription?.is_paid) return false
  const other = await tx
    .selectFrom('agreements')
    .select('id')
    .where('payer_id', '=', userId)
    .where('subscribe_to', '=', businessId)
    .where('id', '<>', row.id)
    .where('entitled_until', '>', ctx.clock.now())
    .executeTakeFirst()
  if (other) return false
  return (await endSubscription(ctx, tx, { userId, ...subscribed })) !== null
}

/** Cancels the agreements that a newly paid one replaces. They last until their paid periods end, so there is never a gap. */
async function replaceOthers(ctx: Ctx, tx: Tx, row: AgreementRow, actorId: string | null, notes: Notes): Promise<void> {
  const ids = new Set([...(row.replaces ? [row.replaces] : []), ...(await findOtherRunningAgreements(tx, row))])
  for (const id of ids) {
    const old = await lockAgreement(tx, id)
    if (!old || old.row.canceled_at) continue
    await applyState(ctx, tx, old, afterCanceling(stateOf(old.row), ctx.clock.now()), actorId, notes)
  }
}
