import type { Agreement, Payment } from '../../../contracts/billing.ts'
import { type Currency, formatCents, parseCents } from '../../../contracts/money.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError, invalidField, notFound } from '../../kernel/errors.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { recordAudit } from '../audit/index.ts'
import { afterInvoice, newAgreement } from './agreement-state.ts'
import { insertAgreement, type LockedAgreement, lockAgreement, lockAround, stateOf } from './agreements.queries.ts'
import { loadAgreement } from './agreements.view.ts'
import { applyState, type Notes, writeNotes } from './apply-state.ts'
import { paymentRows, toPayment } from './lists.ts'
import { recordPayments } from './record-payments.ts'
import type { SyncCtx } from './sync-agreement.ts'

type Money = {
  checkoutId?: string | undefined
  agreementId?: string | undefined
  amount: string
  currency: Currency
  reference: string
  months: number
}

/**
 * An admin says that money came in: the purchase begins, or goes on for so many months. The same reference is not recorded twice.
 * @throws AppError invalid_input, not_found, conflict
 */
export async function recordInvoicePayment(
  ctx: SyncCtx,
  actor: Actor,
  money: Money,
  idempotency: IdempotencyKey | null,
): Promise<Agreement> {
  if ((money.checkoutId === undefined) === (money.agreementId === undefined)) {
    throw invalidField('checkoutId', 'Name a waiting purchase, or one that runs.')
  }
  let countChanged = false
  const answer = await inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, ctx.clock.now(), async () => {
      const now = ctx.clock.now()
      const locked = money.checkoutId ? await fromCheckout(ctx, tx, money.checkoutId) : await running(tx, money.agreementId ?? '')
      const { row } = locked
      const viewer = { id: actor.id, mayBill: false }
      const before = await recorded(tx, money.reference)
      const amountCents = parseCents(money.amount)
      if (before) {
        if (before.agreement_id === row.id && before.amount_cents === amountCents) return loadAgreement(tx, row.id, viewer)
        throw recordedBefore()
      }
      const due = row.amount_cents * money.months
      if (amountCents !== due || money.currency !== row.currency) {
        throw invalidField(
          'amount',
          `${money.months === 1 ? 'A month costs' : `${money.months} months cost`} ${formatCents(due)} ${row.currency}.`,
        )
      }
      const notes: Notes = []
      const payment = { id: money.reference, amountCents, currency: money.currency, status: 'paid' as const, refundedCents: 0, madeAt: now }
      await recordPayments(tx, row, [payment], now, notes)
      // Somebody else may have recorded it for another purchase in this moment; the insert waited for that, and wrote nothing.
      if ((await recorded(tx, money.reference))?.agreement_id !== row.id) throw recordedBefore()
      const next = afterInvoice(stateOf(row), money.months, now, row.created_at.getUTCDate())
      countChanged = await applyState(ctx, tx, locked, next, actor.id, notes)
      await writeNotes(
        tx,
        notes.map((note) => ({ ...note, actorId: actor.id })),
      )
      return loadAgreement(tx, row.id, viewer)
    }),
  )
  if (countChanged) ctx.cache.invalidate('businesses')
  return answer
}

const recorded = (tx: Tx, reference: string) =>
  tx
    .selectFrom('payments')
    .select(['agreement_id', 'amount_cents'])
    .where('provider', '=', 'invoice')
    .where('provider_payment_id', '=', reference)
    .executeTakeFirst()

const recordedBefore = () => new AppError('conflict', { message: 'This reference is recorded already, for another payment.' })

async function running(tx: Tx, agreementId: string): Promise<LockedAgreement> {
  const locked = await lockAgreement(tx, agreementId)
  if (!locked) throw notFound('This purchase is not here.')
  if (locked.row.provider !== 'invoice') throw new AppError('conflict', { message: 'This purchase is paid in another way.' })
  return locked
}

/** One agreement for a checkout, however many payments. */
async function fromCheckout(ctx: SyncCtx, tx: Tx, checkoutId: string): Promise<LockedAgreement> {
  const parts = await tx.selectFrom('checkouts').select(['user_id', 'subscribe_to']).where('id', '=', checkoutId).executeTakeFirst()
  if (!parts) throw notFound('This purchase is not here.')
  const subscriberCount = await lockAround(tx, { payer_id: parts.user_id, subscribe_to: parts.subscribe_to })
  const checkout = await tx.selectFrom('checkouts').selectAll().where('id', '=', checkoutId).forUpdate().executeTakeFirstOrThrow()
  if (checkout.provider !== 'invoice') throw new AppError('conflict', { message: 'This purchase is paid in another way.' })
  if (checkout.agreement_id) return running(tx, checkout.agreement_id)
  const now = ctx.clock.now()
  const row = await insertAgreement(tx, {
    id: newId(),
    payer_id: checkout.user_id,
    plan_id: checkout.plan_id,
    business_id: checkout.business_id,
    subscribe_to: checkout.subscribe_to,
    provider: 'invoice',
    provider_subscription_id: `invoice:${checkout.id}`,
    title: checkout.title,
    amount_cents: checkout.amount_cents,
    currency: checkout.currency,
    status: newAgreement.status,
    replaces: checkout.replaces,
    created_at: now,
    updated_at: now,
  })
  await tx.updateTable('checkouts').set({ status: 'approved', agreement_id: row.id }).where('id', '=', checkoutId).execute()
  return { row, subscriberCount }
}

/**
 * Notes that a payment was given back, which is done at the provider or the bank. What it unlocked stays until somebody ends it.
 * @throws AppError not_found, conflict, invalid_input
 */
export async function noteRefund(
  ctx: SyncCtx,
  actor: Actor,
  paymentId: string,
  refund: { amount: string; reason: string },
  idempotency: IdempotencyKey | null,
): Promise<Payment> {
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, ctx.clock.now(), async () => {
      const payment = await tx.selectFrom('payments').selectAll().where('id', '=', paymentId).forUpdate().executeTakeFirst()
      if (!payment) throw notFound('This payment is not here.')
      if (payment.status === 'failed') throw new AppError('conflict', { message: 'This payment failed: there is nothing to give back.' })
      const cents = parseCents(refund.amount)
      const refunded = payment.refunded_cents + cents
      if (cents === 0) throw invalidField('amount', 'Enter what was given back.')
      if (refunded > payment.amount_cents) {
        throw invalidField('amount', `At most ${formatCents(payment.amount_cents - payment.refunded_cents)} is left to give back.`)
      }
      await tx
        .updateTable('payments')
        .set({
          refunded_cents: refunded,
          refund_reason: refund.reason,
          status: refunded === payment.amount_cents ? 'refunded' : 'partially_refunded',
        })
        .where('id', '=', paymentId)
        .execute()
      await recordAudit(tx, {
        at: ctx.clock.now(),
        actorId: actor.id,
        action: 'payment.refunded',
        subjectType: 'payment',
        subjectId: paymentId,
        details: { cents, refundedCents: refunded, currency: payment.currency },
      })
      return toPayment(await paymentRows(tx).where('payments.id', '=', paymentId).executeTakeFirstOrThrow(), actor.id)
    }),
  )
}
