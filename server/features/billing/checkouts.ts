import type { Selectable } from 'kysely'
import type { Agreement, Checkout } from '#contracts/billing.ts'
import { formatCents } from '#contracts/money.rules.ts'
import { type ButtonProvider, buttonProviders, chargesItself } from '#contracts/payment-providers.ts'
import type { DB, Db } from '#server/db/connect.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { ProviderUnavailable } from '#server/kernel/payments.ts'
import { findByProvider } from './agreements.queries.ts'
import { providerFor } from './payment-accounts.queries.ts'
import { loadAgreement } from './read-agreements.ts'
import { noSuchProvider, type SyncCtx, syncSubscription } from './sync-agreement.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'payments'>

/** @throws AppError not_found, including for other people's checkouts */
export const getCheckout = async (ctx: Ctx, actor: Actor, id: string): Promise<Checkout> =>
  viewCheckout(ctx, await ownCheckout(ctx.db, actor, id))

async function ownCheckout(db: Db, actor: Actor, id: string): Promise<CheckoutRow> {
  const row = await db.selectFrom('checkouts').selectAll().where('id', '=', id).where('user_id', '=', actor.id).executeTakeFirst()
  if (!row) throw notFound('Purchase not found.')
  return row
}

/**
 * Handles an approval that the payer's page reports. Only the provider is trusted: a subscription for another checkout, at another
 * price, or one that doesn't exist changes nothing. Idempotent.
 * @throws AppError not_found, conflict, unavailable
 */
export async function approveCheckout(ctx: SyncCtx, actor: Actor, id: string, subscriptionId: string): Promise<Agreement> {
  const checkout = await ownCheckout(ctx.db, actor, id)
  if (!chargesItself(checkout.provider))
    throw new AppError('conflict', { message: 'This is paid by invoice. It starts when we receive your payment.' })
  const provider = await providerFor(ctx, checkout).catch(rethrowUnavailable(ctx, approvedMaybe))
  if (!provider) throw noSuchProvider()
  const known = await findByProvider(ctx.db, provider, subscriptionId)
  // The provider's own message may have completed the checkout since it was read.
  const agreementOfCheckout = (known ? await ownCheckout(ctx.db, actor, id) : checkout).agreement_id
  if (agreementOfCheckout !== (known?.id ?? null)) throw noApprovedPayment()
  const agreementId = await syncSubscription(ctx, provider, subscriptionId, checkout.id).catch(rethrowUnavailable(ctx, approvedMaybe))
  if (!agreementId) throw noApprovedPayment()
  return loadAgreement(ctx, agreementId, { id: actor.id, mayBill: false })
}

const approvedMaybe = 'If you approved the payment, we’ll complete it as soon as the provider responds. Don’t approve it again.'

const retryAfterSeconds = 60

export const providerUnavailable = (cause?: unknown, what = 'Nothing was bought or changed. Try again in a minute.') =>
  new AppError('unavailable', { message: `The payment provider isn’t responding right now. ${what}`, retryAfterSeconds, cause })

/** @throws AppError unavailable if the provider is unreachable */
export const rethrowUnavailable =
  (ctx: Pick<Context, 'log'>, what: string) =>
  (error: unknown): never => {
    if (!(error instanceof ProviderUnavailable)) throw error
    ctx.log.warn({ err: error }, 'the payment provider does not respond')
    throw providerUnavailable(error, what)
  }

const noApprovedPayment = () =>
  new AppError('conflict', {
    message: 'The payment provider has no approved payment for this purchase. Nothing was bought.',
  })

/**
 * The test provider's approval dialog, which charges nothing. Returns what PayPal's button would.
 * @throws AppError not_found, conflict
 */
export async function answerTestCheckout(
  ctx: Context,
  actor: Actor,
  id: string,
  outcome: 'approve' | 'refuse',
): Promise<{ subscriptionID: string | null }> {
  const checkout = await ownCheckout(ctx.db, actor, id)
  const { test } = ctx.payments
  if (checkout.provider !== 'test' || !test || !checkout.provider_plan_id) {
    throw new AppError('conflict', { message: 'This purchase wasn’t made in test mode.' })
  }
  if (checkout.status !== 'open' || checkout.expires_at <= ctx.clock.now()) {
    throw new AppError('conflict', { message: 'This purchase has expired. Start a new one.' })
  }
  if (outcome === 'refuse') {
    await ctx.db.updateTable('checkouts').set({ status: 'refused' }).where('id', '=', id).where('status', '=', 'open').execute()
    return { subscriptionID: null }
  }
  const subscriptionID = await test.approve(checkout.provider_plan_id, checkout.id)
  await ctx.jobs.enqueue('billing.run-test-provider', {}, { startAfterSeconds: 5 })
  return { subscriptionID }
}

type CheckoutRow = Selectable<DB['checkouts']>
type Account = { client_id: string | null; instructions: string | null }

export const viewCheckout = async (ctx: Ctx, row: CheckoutRow): Promise<Checkout> => toCheckout(ctx, row, await accountsOf(ctx.db, [row]))

export async function accountsOf(db: Db, rows: readonly CheckoutRow[]): Promise<ReadonlyMap<string, Account>> {
  const ids = rows.flatMap((row) => row.account_id ?? [])
  if (ids.length === 0) return new Map()
  const accounts = await db
    .selectFrom('business_payment_accounts')
    .select(['id', 'client_id', 'instructions'])
    .where('id', 'in', ids)
    .execute()
  return new Map(accounts.map((account) => [account.id, account]))
}

export function toCheckout(
  { payments, clock }: Pick<Ctx, 'payments' | 'clock'>,
  row: CheckoutRow,
  accounts: ReadonlyMap<string, Account>,
): Checkout {
  const isOpen = row.status === 'open'
  const own = row.account_id === null ? null : accounts.get(row.account_id)
  const clientId = own ? own.client_id : payments.find(row.provider)?.clientId
  const instructions = own ? own.instructions : payments.invoiceInstructions
  const button = isOpen && clientId && row.provider_plan_id ? { clientId, planId: row.provider_plan_id, customId: row.id } : null
  return {
    id: row.id,
    // Expired checkouts are marked only once an hour.
    status: isOpen && row.expires_at <= clock.now() ? 'expired' : row.status,
    provider: row.provider,
    title: row.title,
    planId: row.plan_id,
    businessId: row.business_id ?? row.subscribe_to,
    price: { amount: formatCents(row.amount_cents), currency: row.currency },
    ...(Object.fromEntries(buttonProviders.map((name) => [name, name === row.provider ? button : null])) as Pick<Checkout, ButtonProvider>),
    instructions: isOpen && !chargesItself(row.provider) ? instructions : null,
    agreementId: row.agreement_id,
    expiresAt: row.expires_at.toISOString(),
  }
}
