import type { Agreement, OpenInvoice, Payment, Refund } from '#contracts/billing.ts'
import type { Currency } from '#contracts/fields.ts'
import { formatCents, parseCents } from '#contracts/money.rules.ts'
import { chargesItself } from '#contracts/payment-providers.ts'
import { publicDisplayName } from '#contracts/people.rules.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction, recordDone } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { decodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import { composeMail, type Mail } from '#server/kernel/mail.ts'
import { afterInvoice, newAgreement } from './agreement-state.ts'
import { findAgreement, insertAgreement, type LockedAgreement, lockAgreement, lockAround, placeOf, stateOf } from './agreements.queries.ts'
import { applyState, begin, type DunningStep, dunningDays, type Notes, writeNotes } from './apply-state.ts'
import { accountsOf, toCheckout } from './checkouts.ts'
import { confirmByMail, lastDay } from './confirmations.ts'
import { lockOwnBusiness } from './entitlements.ts'
import { loadAgreement, paymentRows, toPayment } from './read-agreements.ts'
import type { SyncCtx } from './sync-agreement.ts'
import { recordPayments } from './sync-agreement.ts'

type Money = {
  checkoutId?: string | undefined
  agreementId?: string | undefined
  amount: string
  currency: Currency
  reference: string
  months: number
}

/** The business that issued the invoices, or null for the site. */
type Issuer = { businessId: string | null }

/**
 * Records a payment of a site invoice. Starts the purchase or extends it by a number of months. A reference is recorded only once.
 * @throws AppError invalid_input, not_found, conflict
 */
export const recordInvoicePayment = (ctx: SyncCtx, actor: Actor, money: Money, idempotency: IdempotencyKey | null): Promise<Agreement> =>
  record(ctx, actor, money, idempotency, async () => ({ businessId: null }))

/** @throws AppError invalid_input, not_found, forbidden, conflict */
export const recordOwnInvoicePayment = (
  ctx: SyncCtx,
  actor: Actor,
  idOrSlug: string,
  money: Money,
  idempotency: IdempotencyKey | null,
): Promise<Agreement> =>
  record(ctx, actor, money, idempotency, async (tx) => ({
    businessId: (await lockOwnBusiness(tx, actor, idOrSlug)).id,
  }))

async function record(
  ctx: SyncCtx,
  actor: Actor,
  money: Money,
  idempotency: IdempotencyKey | null,
  issuerIn: (tx: Tx) => Promise<Issuer>,
): Promise<Agreement> {
  if ((money.checkoutId === undefined) === (money.agreementId === undefined)) {
    throw invalidField('checkoutId', 'Choose a purchase that is active or awaiting payment.')
  }
  let countChanged = false
  const answer = await inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, ctx.clock.now(), async () => {
      const now = ctx.clock.now()
      const issuer = await issuerIn(tx)
      const locked = money.checkoutId
        ? await fromCheckout(ctx, tx, money.checkoutId, issuer)
        : await fromReference(ctx, tx, money.agreementId ?? '', issuer)
      const { row } = locked
      const viewer = { id: actor.id, mayBill: false }
      const before = await recorded(tx, row.account_id, money.reference)
      const amountCents = parseCents(money.amount)
      if (before) {
        if (before.agreement_id !== row.id || before.amount_cents !== amountCents) throw recordedBefore()
        // A retry with the same key gets the stored response, so a new key means another payment, which must not look recorded.
        if (idempotency) throw invalidField('reference', 'This reference is already recorded. Enter this payment’s own reference.')
        return loadAgreement({ ...ctx, db: tx }, row.id, viewer)
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
      // The reference may have been recorded concurrently for another purchase; then the insert waited and wrote nothing.
      if ((await recorded(tx, row.account_id, money.reference))?.agreement_id !== row.id) throw recordedBefore()
      const next = afterInvoice(stateOf(row), money.months, now, row.created_at.getUTCDate())
      countChanged = await applyState(ctx, tx, locked, next, actor.id, notes)
      // The payer may have unsubscribed after canceling, or a block may have ended the subscription.
      if (row.status === 'canceled') countChanged = (await begin(ctx, tx, locked)) || countChanged
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

/** References are scoped to the issuer, because two banks may use the same one. */
const recorded = (tx: Tx, accountId: string | null, reference: string) =>
  tx
    .selectFrom('payments')
    .select(['agreement_id', 'amount_cents'])
    .where('provider', '=', 'invoice')
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .where('provider_payment_id', '=', reference)
    .executeTakeFirst()

const recordedBefore = () => new AppError('conflict', { message: 'This reference is already recorded for another payment.' })

/** Payments to another issuer are treated as missing. */
async function isIssuedBy(tx: Tx, accountId: string | null, { businessId }: Issuer): Promise<boolean> {
  if (accountId === null || businessId === null) return accountId === null && businessId === null
  const account = await tx.selectFrom('business_payment_accounts').select('business_id').where('id', '=', accountId).executeTakeFirst()
  return account?.business_id === businessId
}

/** Payers first see their checkout's ID and later, on their billing page, their agreement's. They may use either as the reference. */
const fromReference = async (ctx: SyncCtx, tx: Tx, id: string, issuer: Issuer): Promise<LockedAgreement> =>
  (await findAgreement(tx, id)) ? running(tx, id, issuer) : fromCheckout(ctx, tx, id, issuer)

async function running(tx: Tx, agreementId: string, issuer: Issuer): Promise<LockedAgreement> {
  const locked = await lockAgreement(tx, agreementId)
  if (!locked || !(await isIssuedBy(tx, locked.row.account_id, issuer))) throw notFound('Purchase not found.')
  if (locked.row.provider !== 'invoice') throw new AppError('conflict', { message: 'This purchase isn’t paid by invoice.' })
  return locked
}

/** A checkout leads to one agreement, however many payments it gets. */
async function fromCheckout(ctx: SyncCtx, tx: Tx, checkoutId: string, issuer: Issuer): Promise<LockedAgreement> {
  const read = () =>
    tx.selectFrom('checkouts').select(['user_id as payer_id', 'subscribe_to', 'account_id']).where('id', '=', checkoutId).executeTakeFirst()
  const parts = await read()
  if (!parts || !(await isIssuedBy(tx, parts.account_id, issuer))) throw notFound('Purchase not found.')
  const around = await lockAround(tx, read)
  if (!around) throw notFound('Purchase not found.')
  const checkout = await tx.selectFrom('checkouts').selectAll().where('id', '=', checkoutId).forUpdate().executeTakeFirstOrThrow()
  if (checkout.provider !== 'invoice') throw new AppError('conflict', { message: 'This purchase isn’t paid by invoice.' })
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
  return { row, payerId: row.payer_id === null ? null : around.payerId, subscribed: around.subscribed }
}

/**
 * Records a refund, made at the provider or the bank, of a payment to the site. Doesn't end the entitlement.
 * @throws AppError not_found, conflict, invalid_input, idempotency_mismatch
 */
export const recordRefund = (
  ctx: SyncCtx,
  actor: Actor,
  paymentId: string,
  refund: Refund,
  idempotency: IdempotencyKey | null,
): Promise<Payment> => refundPayment(ctx, actor, paymentId, refund, idempotency, async () => ({ businessId: null }))

/**
 * Records that an owner refunded a payment of the business's own invoice. Doesn't end the subscription. PayPal itself reports refunds of
 * its payments.
 * @throws AppError not_found, forbidden, conflict, invalid_input, idempotency_mismatch
 */
export const recordOwnInvoiceRefund = (
  ctx: SyncCtx,
  actor: Actor,
  { id: idOrSlug, paymentId }: { id: string; paymentId: string },
  refund: Refund,
  idempotency: IdempotencyKey | null,
): Promise<Payment> =>
  refundPayment(ctx, actor, paymentId, refund, idempotency, async (tx) => ({
    businessId: (await lockOwnBusiness(tx, actor, idOrSlug)).id,
  }))

async function refundPayment(
  ctx: SyncCtx,
  actor: Actor,
  paymentId: string,
  refund: Refund,
  idempotency: IdempotencyKey | null,
  issuerIn: (tx: Tx) => Promise<Issuer>,
): Promise<Payment> {
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, ctx.clock.now(), async () => {
      const issuer = await issuerIn(tx)
      const payment = await tx.selectFrom('payments').selectAll().where('id', '=', paymentId).forUpdate().executeTakeFirst()
      if (!payment) throw notFound('Payment not found.')
      if (issuer.businessId === null && payment.account_id !== null) {
        throw new AppError('conflict', { message: 'This payment went to a business’s own account, so it isn’t the site’s to refund.' })
      }
      if (issuer.businessId !== null && !(payment.provider === 'invoice' && (await isIssuedBy(tx, payment.account_id, issuer)))) {
        throw notFound('Payment not found.')
      }
      if (payment.status === 'failed') throw new AppError('conflict', { message: 'This payment failed, so there’s nothing to refund.' })
      const cents = parseCents(refund.amount)
      const refunded = payment.refunded_cents + cents
      if (cents === 0) throw invalidField('amount', 'Enter the amount that was refunded.')
      if (refunded > payment.amount_cents) {
        throw invalidField('amount', `You can still refund up to ${formatCents(payment.amount_cents - payment.refunded_cents)}.`)
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
        businessId: issuer.businessId,
        details: { cents, refundedCents: refunded, currency: payment.currency },
      })
      return toPayment(await paymentRows(tx).where('payments.id', '=', paymentId).executeTakeFirstOrThrow(), actor.id)
    }),
  )
}

type Ctx = Pick<Context, 'db' | 'clock' | 'payments'>
type Query = { limit: number; cursor?: string | undefined }

export const listInvoiceCheckouts = (ctx: Ctx, page: Query): Promise<Page<OpenInvoice>> => openInvoices(ctx, null, page)

/** @throws AppError not_found, forbidden */
export async function listOwnInvoices(ctx: Ctx, actor: Actor, idOrSlug: string, page: Query): Promise<Page<OpenInvoice>> {
  const { id } = await requirePermission(ctx.db, actor, idOrSlug, 'billing')
  return openInvoices(ctx, id, page)
}

async function openInvoices(ctx: Ctx, businessId: string | null, page: Query): Promise<Page<OpenInvoice>> {
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await ctx.db
    .selectFrom('checkouts')
    .innerJoin('users', 'users.id', 'checkouts.user_id')
    .selectAll('checkouts')
    .select(['users.display_name', 'users.first_name', 'users.last_name'])
    .where('checkouts.provider', '=', 'invoice')
    .where('checkouts.status', '=', 'open')
    .where('checkouts.expires_at', '>', ctx.clock.now())
    .where((eb) =>
      businessId === null
        ? eb('checkouts.account_id', 'is', null)
        : eb('checkouts.account_id', 'in', eb.selectFrom('business_payment_accounts').select('id').where('business_id', '=', businessId)),
    )
    .$call((rows) => newestAfter(rows, 'checkouts.created_at', 'checkouts.id', after))
    .limit(page.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  const accounts = await accountsOf(ctx.db, items)
  return {
    items: items.map((row) => ({
      ...toCheckout(ctx, row, accounts),
      payer: publicDisplayName({ displayName: row.display_name, firstName: row.first_name, lastName: row.last_name }),
    })),
    nextCursor,
  }
}

/**
 * Emails the payer about a failed payment or an unpaid invoice, once per step of a series, and only while it is still past due. Recorded
 * after the email is sent: a crash in between sends it twice rather than never.
 */
export async function sendDunning(
  ctx: Pick<Context, 'db' | 'clock' | 'mail' | 'config' | 'brand'>,
  data: { agreementId: string; since: string; step: DunningStep },
): Promise<void> {
  const since = new Date(data.since)
  const row = await ctx.db
    .selectFrom('agreements')
    .innerJoin('users', 'users.id', 'agreements.payer_id')
    .select(['users.email', 'agreements.grace_until', 'agreements.provider'])
    .where('agreements.id', '=', data.agreementId)
    // Demo accounts have no mailbox.
    .where('users.is_demo', '=', false)
    .where('agreements.status', '=', 'past_due')
    .where('agreements.past_due_since', '=', since)
    .executeTakeFirst()
  if (!row?.grace_until) return
  const key = { agreement_id: data.agreementId, since, step: data.step }
  const sent = await ctx.db
    .selectFrom('billing_mails')
    .select('step')
    .where('agreement_id', '=', key.agreement_id)
    .where('since', '=', since)
    .where('step', '=', data.step)
    .executeTakeFirst()
  if (sent) return
  const words = chargesItself(row.provider) ? failedPayment(data.step) : unpaidInvoice(data.step)
  await ctx.mail.send(dunningMail(ctx, row.email, row.grace_until, words))
  await recordDone(() =>
    ctx.db
      .insertInto('billing_mails')
      .values({ ...key, sent_at: ctx.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}

type DunningWords = { subject: string; problem: string; remedy: string }

const failedPayment = (step: DunningStep): DunningWords => ({
  subject: 'your payment didn’t go through',
  problem:
    step === 'day-0'
      ? 'Your last payment didn’t go through.'
      : `It’s been ${dunningDays[step]} days, and your payment still hasn’t gone through.`,
  remedy: 'fix it:',
})

const unpaidInvoice = (step: DunningStep): DunningWords => ({
  subject: 'your payment is due',
  problem:
    step === 'day-0'
      ? 'The period you paid for has ended, and no payment for the next one has arrived.'
      : `It’s been ${dunningDays[step]} days, and no payment for the next period has arrived.`,
  remedy: 'pay the same way as before. Your payments are listed here:',
})

/** Subject and text don't name the product: they show on lock screens and in shared mailboxes. */
function dunningMail(
  { config, brand }: Pick<Context, 'config' | 'brand'>,
  to: string,
  graceUntil: Date,
  { subject, problem, remedy }: DunningWords,
): Mail {
  return composeMail({ name: config.billingName, supportEmail: brand.supportEmail }, to, subject, [
    problem,
    `You have until ${lastDay(graceUntil)} to ${remedy}`,
    `${config.publicUrl}/billing`,
    'If you’ve paid in the meantime, there’s nothing to do.',
  ])
}
