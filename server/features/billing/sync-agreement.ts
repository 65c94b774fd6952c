import { sql } from 'kysely'
import { dayMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { type PaymentProvider, type ProviderPayment, type ProviderSubscription, ProviderUnavailable } from '#server/kernel/payments.ts'
import { afterProviderReport, newAgreement } from './agreement-state.ts'
import {
  type AgreementRow,
  findByProvider,
  insertAgreement,
  lockAgreement,
  lockAround,
  placeOf,
  stateOf,
  takeTicket,
} from './agreements.queries.ts'
import { applyState, type Notes, writeNotes } from './apply-state.ts'
import { confirmByMail } from './confirmations.ts'

export type SyncCtx = Pick<Context, 'db' | 'clock' | 'events' | 'jobs' | 'log' | 'cache' | 'payments' | 'config'>

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    /** At the provider, cancels a subscription that was created for a checkout of this site but belongs to no agreement. */
    'billing.close-stray': { provider: string; accountId?: string | null; subscriptionId: string }
  }
}

/** Requests payments from this long before the last known one, because the status of earlier ones may have changed. */
const lookBackDays = 45

/**
 * Fetches a subscription from the provider and stores the response. All grants from a provider go through `syncAgreement`, whether a
 * payer's page, a webhook or a job triggers it. An unknown subscription becomes an agreement if it exactly matches a checkout of this
 * site. Returns the agreement's ID, or null if there is none. With `checkoutId`, the subscription must match that checkout.
 * @throws ProviderUnavailable, also if the payer has approved it for `checkoutId` but the provider hasn't started it
 */
export async function syncSubscription(
  ctx: SyncCtx,
  provider: PaymentProvider,
  subscriptionId: string,
  checkoutId?: string,
): Promise<string | null> {
  const known = await findByProvider(ctx.db, provider, subscriptionId)
  if (known) {
    await syncAgreement(ctx, provider, known)
    return known.id
  }
  const heard = await provider.fetchSubscription(subscriptionId)
  if (!heard?.customId || (checkoutId !== undefined && heard.customId !== checkoutId)) return null
  // The subscription can still start and charge the payer, who must not buy it again.
  if (checkoutId !== undefined && heard.state === 'approved') throw new ProviderUnavailable('The subscription has not started yet.')
  const agreementId = await adopt(ctx, provider, heard)
  if (!agreementId) return null
  const row = await findByProvider(ctx.db, provider, subscriptionId)
  if (row) await syncAgreement(ctx, provider, row)
  return agreementId
}

/** @throws ProviderUnavailable */
export async function syncAgreement(ctx: SyncCtx, provider: PaymentProvider, known: AgreementRow): Promise<void> {
  const { provider_subscription_id: subscriptionId } = known
  if (subscriptionId === null) return
  const ticket = await takeTicket(ctx.db, known.id)
  const heard = await provider.fetchSubscription(subscriptionId)
  const payments = heard ? await provider.listPayments(subscriptionId, await paymentsSince(ctx, known), ctx.clock.now()) : []
  const countChanged = await inTransaction(ctx.db, (tx) => applyProviderReport(ctx, tx, known.id, ticket, heard, payments))
  if (countChanged) ctx.cache.invalidate('businesses')
}

async function applyProviderReport(
  ctx: SyncCtx,
  tx: Tx,
  agreementId: string,
  ticket: number,
  heard: ProviderSubscription | null,
  payments: ProviderPayment[],
): Promise<boolean> {
  const locked = await lockAgreement(tx, agreementId)
  if (!locked) return false
  const { row } = locked
  const now = ctx.clock.now()
  const notes: Notes = []
  await recordPayments(ctx, tx, row, payments, notes)
  let countChanged = false
  // If responses cross, the response to the later request wins.
  if (ticket > row.applied_ticket) {
    await tx.updateTable('agreements').set({ applied_ticket: ticket, checked_at: now }).where('id', '=', row.id).execute()
    if (heard && !isAsAgreed(row, heard)) {
      ctx.log.error({ agreementId: row.id }, 'the provider charges something other than what was agreed; granting nothing for it')
      await writeNotes(tx, notes)
      return false
    }
    countChanged = await applyState(ctx, tx, locked, afterProviderReport(stateOf(row), heard, now), null, notes)
  }
  await writeNotes(tx, notes)
  return countChanged
}

/** A plan's price can be changed at the provider, even by the payer; the entitlement was sold at the agreed price. */
const isAsAgreed = (row: AgreementRow, heard: ProviderSubscription): boolean =>
  heard.planId === row.provider_plan_id && heard.amountCents === row.amount_cents && heard.currency === row.currency

async function paymentsSince(ctx: SyncCtx, row: AgreementRow): Promise<Date> {
  const last = await ctx.db
    .selectFrom('payments')
    .select((eb) => eb.fn.max('paid_at').as('at'))
    .where('agreement_id', '=', row.id)
    .executeTakeFirst()
  return new Date((last?.at ?? row.created_at).getTime() - lookBackDays * dayMs)
}

/**
 * Creates an agreement for an unknown subscription. It must contain the ID of a checkout of this site and match its
 * plan, price and currency. Each checkout allows one subscription; a second is ended at the provider, so that no one is charged
 * twice.
 */
async function adopt(ctx: SyncCtx, provider: PaymentProvider, heard: ProviderSubscription): Promise<string | null> {
  if (heard.state === 'pending' || heard.state === 'approved') return null
  return inTransaction(ctx.db, async (tx) => {
    const found = tx
      .selectFrom('checkouts')
      .where('id', '=', isId(heard.customId) ? heard.customId : newId())
      .where('provider', '=', provider.name)
      .where('account_id', provider.accountId === null ? 'is' : '=', provider.accountId)
    if (!(await lockAround(tx, () => found.select(['user_id as payer_id', 'subscribe_to']).executeTakeFirst()))) {
      // This happens after a backup that is older than the purchase is restored.
      if (isId(heard.customId) && heard.state !== 'closed')
        ctx.log.error({ provider: provider.name, subscriptionId: heard.id }, 'a subscription at the provider belongs to no purchase here')
      return null
    }
    const checkout = await found.selectAll().forUpdate().executeTakeFirstOrThrow()
    const fits =
      heard.planId === checkout.provider_plan_id && heard.amountCents === checkout.amount_cents && heard.currency === checkout.currency
    const existing = await findByProvider(tx, provider, heard.id)
    if (existing) return existing.id
    if (!fits || checkout.agreement_id !== null) {
      ctx.log.warn({ checkoutId: checkout.id, fits }, 'a subscription does not match its checkout; ending it at the provider')
      if (heard.state !== 'closed') {
        await ctx.jobs.enqueue(
          'billing.close-stray',
          { provider: provider.name, accountId: provider.accountId, subscriptionId: heard.id },
          { tx },
        )
      }
      return null
    }
    const now = ctx.clock.now()
    const agreement = await insertAgreement(tx, {
      id: newId(),
      payer_id: checkout.user_id,
      subscribe_to: checkout.subscribe_to,
      plan_id: checkout.plan_id,
      ...placeOf(checkout, now),
      provider: provider.name,
      account_id: provider.accountId,
      provider_subscription_id: heard.id,
      provider_plan_id: heard.planId,
      title: checkout.title,
      amount_cents: checkout.amount_cents,
      currency: checkout.currency,
      status: newAgreement.status,
      replaces: checkout.replaces,
      created_at: now,
      updated_at: now,
    })
    await tx.updateTable('checkouts').set({ status: 'approved', agreement_id: agreement.id }).where('id', '=', checkout.id).execute()
    await writeNotes(tx, [
      {
        at: now,
        actorId: checkout.user_id,
        action: 'agreement.began',
        subjectType: 'agreement',
        subjectId: agreement.id,
        businessId: agreement.business_id ?? agreement.subscribe_to,
        details: {
          provider: provider.name,
          planId: agreement.plan_id,
          amountCents: agreement.amount_cents,
          checkoutStatus: checkout.status,
        },
      },
    ])
    return agreement.id
  })
}

const isId = (text: string | null): text is string => text !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** @throws AppError conflict if this server isn't configured for the provider */
export function requireProvider(ctx: Pick<Context, 'payments'>, name: AgreementRow['provider']): PaymentProvider {
  const provider = ctx.payments.find(name)
  if (!provider) throw noSuchProvider()
  return provider
}

export const noSuchProvider = () => new AppError('conflict', { message: 'This payment method isn’t available here.' })

type Ctx = Pick<Context, 'clock' | 'jobs'>

/**
 * Writes payments, failures and refunds reported by the provider. Writes each payment only once, even if several sources report it.
 * Requires a lock on the agreement.
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
  // A provider that doesn't report a refund, or its amount, must not undo one recorded by an admin.
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
 * The next receipt number of the current year, such as "2026-000123". The counter's row is locked until the transaction ends,
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
