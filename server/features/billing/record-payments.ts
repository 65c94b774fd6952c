import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import type { Context } from '#server/kernel/context.ts'
import { newId } from '#server/kernel/ids.ts'
import type { ProviderPayment } from '#server/kernel/payments.ts'
import type { AgreementRow } from './agreements.queries.ts'
import type { Notes } from './apply-state.ts'
import { confirmByMail } from './confirmations.ts'

type Ctx = Pick<Context, 'clock' | 'jobs'>

/**
 * Writes payments, failures and refunds reported by the provider, each payment once, whatever the source and however often.
 * The caller has locked the agreement.
 */
export async function recordPayments(
  ctx: Ctx,
  tx: Tx,
  agreement: AgreementRow,
  payments: readonly ProviderPayment[],
  notes: Notes,
): Promise<void> {
  for (const payment of payments) {
    const existing = await tx
      .selectFrom('payments')
      .select(['id', 'status', 'refunded_cents', 'receipt_number', 'agreement_id', 'amount_cents'])
      .where('provider', '=', agreement.provider)
      .where('account_id', agreement.account_id === null ? 'is' : '=', agreement.account_id)
      .where('provider_payment_id', '=', payment.id)
      // Serializes with an admin recording a refund.
      .forUpdate()
      .executeTakeFirst()
    if (existing) await updatePayment(ctx, tx, agreement, existing, payment, notes)
    else await insertPayment(ctx, tx, agreement, payment, notes)
  }
}

async function insertPayment(ctx: Ctx, tx: Tx, agreement: AgreementRow, payment: ProviderPayment, notes: Notes): Promise<void> {
  const now = ctx.clock.now()
  const id = newId()
  const inserted = await tx
    .insertInto('payments')
    .values({
      id,
      agreement_id: agreement.id,
      provider: agreement.provider,
      account_id: agreement.account_id,
      provider_payment_id: payment.id,
      amount_cents: payment.amountCents,
      currency: payment.currency,
      status: payment.status,
      refunded_cents: payment.refundedCents ?? 0,
      paid_at: payment.madeAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return
  const receipt = payment.status === 'failed' ? null : await giveReceipt(tx, id, now)
  if (receipt) await confirmByMail(ctx, tx, { agreementId: agreement.id, event: 'paid', paymentId: id, at: now })
  const cents = payment.refundedCents ?? 0
  if (cents > 0) await confirmByMail(ctx, tx, { agreementId: agreement.id, event: 'refunded', paymentId: id, cents, at: now })
  notes.push(
    noteOf(agreement, 'payment.recorded', id, now, {
      status: payment.status,
      amountCents: payment.amountCents,
      currency: payment.currency,
      receipt,
    }),
  )
}

type Existing = {
  id: string
  status: string
  refunded_cents: number
  receipt_number: string | null
  agreement_id: string
  amount_cents: number
}

async function updatePayment(
  ctx: Ctx,
  tx: Tx,
  agreement: AgreementRow,
  existing: Existing,
  payment: ProviderPayment,
  notes: Notes,
): Promise<void> {
  const now = ctx.clock.now()
  const about = { agreementId: agreement.id, paymentId: existing.id, at: now }
  if (existing.agreement_id !== agreement.id) return
  // A provider that doesn't know of a refund, or its amount, must not undo one recorded by an admin.
  const refunded = Math.max(existing.refunded_cents, Math.min(payment.refundedCents ?? 0, existing.amount_cents))
  const isBack = refunded > 0 && payment.status !== 'failed'
  const status = isBack ? (refunded === existing.amount_cents ? 'refunded' : 'partially_refunded') : payment.status
  if (status !== existing.status || refunded !== existing.refunded_cents) {
    await tx.updateTable('payments').set({ status, refunded_cents: refunded }).where('id', '=', existing.id).execute()
    notes.push(noteOf(agreement, 'payment.changed', existing.id, now, { status, refundedCents: refunded }))
  }
  if (status !== 'failed' && existing.receipt_number === null) {
    await giveReceipt(tx, existing.id, now)
    await confirmByMail(ctx, tx, { ...about, event: 'paid' })
  }
  const cents = refunded - existing.refunded_cents
  if (cents > 0) await confirmByMail(ctx, tx, { ...about, event: 'refunded', cents })
}

const noteOf = (
  agreement: AgreementRow,
  action: 'payment.recorded' | 'payment.changed',
  id: string,
  at: Date,
  details: Notes[number]['details'],
) => ({
  at,
  actorId: null,
  action,
  subjectType: 'payment',
  subjectId: id,
  businessId: agreement.business_id ?? agreement.subscribe_to,
  details: { agreementId: agreement.id, ...details },
})

/**
 * The next receipt number of the current year, such as "2026-000123". The counter's row stays locked until the transaction ends,
 * so a number that is rolled back is reused and there are no gaps.
 */
async function giveReceipt(tx: Tx, paymentId: string, now: Date): Promise<string> {
  const year = now.getUTCFullYear()
  const { last } = await tx
    .insertInto('receipt_counters')
    .values({ year, last: 1 })
    .onConflict((conflict) => conflict.column('year').doUpdateSet({ last: sql`receipt_counters.last + 1` }))
    .returning('last')
    .executeTakeFirstOrThrow()
  const number = `${year}-${String(last).padStart(6, '0')}`
  await tx.updateTable('payments').set({ receipt_number: number }).where('id', '=', paymentId).execute()
  return number
}
