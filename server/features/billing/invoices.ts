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
import { insertAgreement, type LockedAgreement, lockAgreement, lockAround, placeOf, stateOf } from './agreements.queries.ts'
import { loadAgreement } from './agreements.view.ts'
import { applyState, type Notes, writeNotes } from './apply-state.ts'
import { confirmByMail } from './confirmations.ts'
import { holdBusiness } from './hold-business.ts'
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

/** Whose invoices: the site's, or those of a business. */
type Issuer = { businessId: string | null }

/**
 * An admin says that money came in by the site's invoice: the purchase begins, or goes on for so many months. The same reference is
 * not recorded twice. @throws AppError invalid_input, not_found, conflict
 */
export const recordInvoicePayment = (ctx: SyncCtx, actor: Actor, money: Money, idempotency: IdempotencyKey | null): Promise<Agreement> =>
  record(ctx, actor, money, idempotency, async () => ({ businessId: null }))

/**
 * The same of a business's own invoice, for a subscription to it and to nobody else.
 * @throws AppError invalid_input, not_found, forbidden, conflict
 */
export const recordOwnInvoicePayment = (
  ctx: SyncCtx,
  actor: Actor,
  idOrSlug: string,
  money: Money,
  idempotency: IdempotencyKey | null,
): Promise<Agreement> =>
  record(ctx, actor, money, idempotency, async (tx) => ({
    businessId: (await holdBusiness(tx, actor, idOrSlug)).id,
  }))

async function record(
  ctx: SyncCtx,
  actor: Actor,
  money: Money,
  idempotency: IdempotencyKey | null,
  issuerIn: (tx: Tx) => Promise<Issuer>,
): Promise<Agreement> {
  if ((money.checkoutId === undefined) === (money.agreementId === undefined)) {
    throw invalidField('checkoutId', 'Name a waiting purchase, or one that runs.')
  }
  let countChanged = false
  const answer = await inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, ctx.clock.now(), async () => {
      const now = ctx.clock.now()
      const issuer = await issuerIn(tx)
      const locked = money.checkoutId
        ? await fromCheckout(ctx, tx, money.checkoutId, issuer)
        : await running(tx, money.agreementId ?? '', issuer)
      const { row } = locked
      const viewer = { id: actor.id, mayBill: false }
      const before = await recorded(tx, row.account_id, money.reference)
      const amountCents = parseCents(money.amount)
      if (before) {
        if (before.agreement_id === row.id && before.amount_cents === amountCents) return loadAgreement({ ...ctx, db: tx }, row.id, viewer)
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
      await recordPayments(ctx, tx, row, [payment], notes)
      // Somebody else may have recorded it for another purchase in this moment; the insert waited for that, and wrote nothing.
      if ((await recorded(tx, row.account_id, money.reference))?.agreement_id !== row.id) throw recordedBefore()
      const next = afterInvoice(stateOf(row), money.months, now, row.created_at.getUTCDate())
      countChanged = await applyState(ctx, tx, locked, next, actor.id, notes)
      await writeNotes(
        tx,
        notes.map((note) => ({ ...note, actorId: actor.id })),
      )
      return loadAgreement({ ...ctx, db: tx }, row.id, viewer)
    }),
  )
  if (countChanged) ctx.cache.invalidate('businesses')
  return answer
}

/** A reference is the issuer's own: two banks may give the same one. */
const recorded = (tx: Tx, accountId: string | null, reference: string) =>
  tx
    .selectFrom('payments')
    .select(['agreement_id', 'amount_cents'])
    .where('provider', '=', 'invoice')
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .where('provider_payment_id', '=', reference)
    .executeTakeFirst()

const recordedBefore = () => new AppError('conflict', { message: 'This reference is recorded already, for another payment.' })

/** What is paid to somebody else is not there for those who record money. */
async function isIssuedBy(tx: Tx, accountId: string | null, { businessId }: Issuer): Promise<boolean> {
  if (accountId === null || businessId === null) return accountId === null && businessId === null
  const account = await tx.selectFrom('business_payment_accounts').select('business_id').where('id', '=', accountId).executeTakeFirst()
  return account?.business_id === businessId
}

async function running(tx: Tx, agreementId: string, issuer: Issuer): Promise<LockedAgreement> {
  const locked = await lockAgreement(tx, agreementId)
  if (!locked || !(await isIssuedBy(tx, locked.row.account_id, issuer))) throw notFound('This purchase is not here.')
  if (locked.row.provider !== 'invoice') throw new AppError('conflict', { message: 'This purchase is paid in another way.' })
  return locked
}

/** One agreement for a checkout, however many payments. */
async function fromCheckout(ctx: SyncCtx, tx: Tx, checkoutId: string, issuer: Issuer): Promise<LockedAgreement> {
  const parts = await tx
    .selectFrom('checkouts')
    .select(['user_id', 'subscribe_to', 'account_id'])
    .where('id', '=', checkoutId)
    .executeTakeFirst()
  if (!parts || !(await isIssuedBy(tx, parts.account_id, issuer))) throw notFound('This purchase is not here.')
  const subscriberCount = await lockAround(tx, { payer_id: parts.user_id, subscribe_to: parts.subscribe_to })
  const checkout = await tx.selectFrom('checkouts').selectAll().where('id', '=', checkoutId).forUpdate().executeTakeFirstOrThrow()
  if (checkout.provider !== 'invoice') throw new AppError('conflict', { message: 'This purchase is paid in another way.' })
  if (checkout.agreement_id) return running(tx, checkout.agreement_id, issuer)
  const now = ctx.clock.now()
  const row = await insertAgreement(tx, {
    id: newId(),
    payer_id: checkout.user_id,
    plan_id: checkout.plan_id,
    ...placeOf(checkout, now),
    subscribe_to: checkout.subscribe_to,
    provider: 'invoice',
    account_id: checkout.account_id,
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
      if (payment.status === 'failed') throw new AppError('conflict', { message: 'This payment failed: there is nothing to refund.' })
      const cents = parseCents(refund.amount)
      const refunded = payment.refunded_cents + cents
      if (cents === 0) throw invalidField('amount', 'Enter the amount that was refunded.')
      if (refunded > payment.amount_cents) {
        throw invalidField('amount', `At most ${formatCents(payment.amount_cents - payment.refunded_cents)} can still be refunded.`)
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
      const now = ctx.clock.now()
      await confirmByMail(ctx, tx, { agreementId: payment.agreement_id, event: 'refunded', paymentId, cents, at: now })
      await recordAudit(tx, {
        at: now,
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
