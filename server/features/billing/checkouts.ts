import type { Agreement, Checkout } from '../../../contracts/billing.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { ProviderUnavailable } from '../../kernel/payments.ts'
import { findByProvider } from './agreements.queries.ts'
import { loadAgreement } from './agreements.view.ts'
import { away } from './begin-checkout.ts'
import { type CheckoutRow, toCheckout } from './checkouts.view.ts'
import { requireProvider, type SyncCtx, syncSubscription } from './sync-agreement.ts'

type ReadCtx = Pick<Context, 'db' | 'clock' | 'payments'>

/** @throws AppError not_found, for those of others too */
export const getCheckout = async (ctx: ReadCtx, actor: Actor, id: string): Promise<Checkout> =>
  toCheckout(ctx, await ownCheckout(ctx.db, actor, id))

async function ownCheckout(db: Db, actor: Actor, id: string): Promise<CheckoutRow> {
  const row = await db.selectFrom('checkouts').selectAll().where('id', '=', id).where('user_id', '=', actor.id).executeTakeFirst()
  if (!row) throw notFound('This purchase is not here.')
  return row
}

/**
 * The payer's page says that the provider approved. The provider is asked, and believed, and nobody else: a subscription of another
 * checkout, at another price, or none at all changes nothing. Saying it again answers the same.
 * @throws AppError not_found, conflict, unavailable
 */
export async function approveCheckout(ctx: SyncCtx, actor: Actor, id: string, subscriptionId: string): Promise<Agreement> {
  const checkout = await ownCheckout(ctx.db, actor, id)
  if (checkout.provider === 'invoice')
    throw new AppError('conflict', { message: 'This is paid by invoice: it begins when the money is there.' })
  const provider = requireProvider(ctx, checkout.provider)
  const known = await findByProvider(ctx.db, checkout.provider, subscriptionId)
  if (known ? known.id !== checkout.agreement_id : checkout.agreement_id !== null) throw notTheOne()
  const agreementId = await syncSubscription(ctx, provider, subscriptionId, checkout.id).catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailable)) throw error
    ctx.log.warn({ err: error }, 'the payment provider does not answer')
    throw away(error, 'If you approved, this is completed as soon as it answers; do not approve again.')
  })
  if (!agreementId) throw notTheOne()
  return loadAgreement(ctx.db, agreementId, { id: actor.id, mayBill: false })
}

const notTheOne = () =>
  new AppError('conflict', {
    message: 'The payment provider does not know of an approved payment for this purchase. Nothing was bought by it.',
  })

/**
 * The test provider's window: whoever is charged nothing says yes or no. What comes back is what PayPal's button would hand over.
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
    throw new AppError('conflict', { message: 'This purchase is not made in test mode.' })
  }
  if (checkout.status !== 'open' || checkout.expires_at <= ctx.clock.now()) {
    throw new AppError('conflict', { message: 'This purchase is over. Begin a new one.' })
  }
  if (outcome === 'refuse') {
    await ctx.db.updateTable('checkouts').set({ status: 'refused' }).where('id', '=', id).where('status', '=', 'open').execute()
    return { subscriptionID: null }
  }
  const subscriptionID = await test.approve(checkout.provider_plan_id, checkout.id)
  await ctx.jobs.enqueue('billing.run-test-provider', {}, { startAfterSeconds: 5 })
  return { subscriptionID }
}

/** Purchases that wait for money by invoice, newest first. */
export async function listInvoiceCheckouts(ctx: ReadCtx, page: { limit: number; cursor?: string | undefined }): Promise<Page<Checkout>> {
  const after = decodeCursor(page.cursor, ['time', 'id'])
  let query = ctx.db
    .selectFrom('checkouts')
    .selectAll()
    .where('provider', '=', 'invoice')
    .where('status', '=', 'open')
    .where('expires_at', '>', ctx.clock.now())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
  if (after) query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(new Date(after[0]), after[1])))
  const { items, nextCursor } = toPage(await query.execute(), page.limit, (row) => [row.created_at.toISOString(), row.id])
  return { items: items.map((row) => toCheckout(ctx, row)), nextCursor }
}
