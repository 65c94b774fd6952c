import type { AccountProvider, PaymentAccounts, PayPalKeys } from '../../../contracts/payment-accounts.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { AccountUnusable, ProviderRefused, ProviderUnavailable } from '../../kernel/payments.ts'
import { type AuditEntry, recordAudit } from '../audit/index.ts'
import { requirePermission } from '../team/index.ts'
import { accountIdOf, sealSecret } from './account-secret.ts'
import { businessEntitlements } from './entitlements.ts'
import { holdBusiness } from './hold-business.ts'
import { accountInUse, messageAddress } from './payment-accounts.queries.ts'
import { getPaymentAccounts } from './payment-accounts.view.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'payments' | 'config' | 'log'>

const retryAfterSeconds = 60

/**
 * Connects a business's own PayPal account, or replaces the one before, through which people go on paying until they end it. The
 * keys are tried and the webhook is made before anything is stored; all of it can be repeated.
 * @throws AppError not_found, forbidden, invalid_input, plan_limit, conflict, unavailable
 */
export async function connectPayPal(ctx: Ctx, actor: Actor, idOrSlug: string, keys: PayPalKeys): Promise<PaymentAccounts> {
  const { sessionSecret, payPalApi } = ctx.config
  const business = await requirePermission(ctx.db, actor, idOrSlug, 'billing')
  const inUse = await accountInUse(ctx.db, business.id, 'paypal')
  await refuseConnecting(ctx, business, inUse !== undefined)
  const id = accountIdOf(sessionSecret, business.id, keys.clientId)
  const known = await ctx.db
    .selectFrom('business_payment_accounts')
    .select('id')
    .where('business_id', '=', business.id)
    .where('client_id', '=', keys.clientId)
    .executeTakeFirst()
  const accountId = known?.id ?? id
  const { webhookId } = await open(ctx, keys, accountId)
  await inTransaction(ctx.db, async (tx) => {
    await holdBusiness(tx, actor, business.id)
    const now = ctx.clock.now()
    await retire(tx, { businessId: business.id, provider: 'paypal', exceptId: accountId }, now)
    const values = {
      connected_by: actor.id,
      sealed_secret: sealSecret(sessionSecret, { id: accountId, businessId: business.id }, keys.clientSecret),
      webhook_id: webhookId,
      environment: payPalApi.environment,
      connected_at: now,
      checked_at: now,
      failure: null,
      failing_since: null,
      told_at: null,
      retired_at: null,
    }
    await tx
      .insertInto('business_payment_accounts')
      .values({ id: accountId, business_id: business.id, provider: 'paypal', client_id: keys.clientId, ...values })
      .onConflict((conflict) => conflict.columns(['business_id', 'client_id']).doUpdateSet(values))
      .execute()
    await note(tx, 'payment_account.connected', actor, business.id, accountId, now, 'paypal')
  })
  return getPaymentAccounts(ctx, actor, business.id)
}

/** @throws AppError invalid_input, conflict, unavailable */
async function open(ctx: Ctx, keys: PayPalKeys, accountId: string): Promise<{ webhookId: string }> {
  try {
    return await ctx.payments.openAccount(keys, messageAddress(ctx.config, accountId))
  } catch (error) {
    if (error instanceof ProviderRefused) {
      const { environment } = ctx.config.payPalApi
      throw invalidField('clientSecret', `PayPal does not know this client id with this secret. Take both from a ${environment} app.`)
    }
    if (error instanceof AccountUnusable) throw new AppError('conflict', { message: error.message })
    if (!(error instanceof ProviderUnavailable)) throw error
    ctx.log.warn({ err: error }, 'the payment provider does not answer')
    throw new AppError('unavailable', {
      message: 'PayPal does not answer at the moment. Nothing was stored; try again in a minute.',
      retryAfterSeconds,
      cause: error,
    })
  }
}

/** Says how a business's own invoice is paid, by people who subscribe at its price. @throws AppError as above */
export async function saveOwnInvoice(ctx: Ctx, actor: Actor, idOrSlug: string, instructions: string): Promise<PaymentAccounts> {
  const business = await requirePermission(ctx.db, actor, idOrSlug, 'billing')
  await refuseConnecting(ctx, business, (await accountInUse(ctx.db, business.id, 'invoice')) !== undefined)
  await inTransaction(ctx.db, async (tx) => {
    await holdBusiness(tx, actor, business.id)
    const now = ctx.clock.now()
    const known = await tx
      .selectFrom('business_payment_accounts')
      .select('id')
      .where('business_id', '=', business.id)
      .where('provider', '=', 'invoice')
      .executeTakeFirst()
    const values = { instructions, connected_by: actor.id, connected_at: now, retired_at: null }
    const id = known?.id ?? newId()
    await tx
      .insertInto('business_payment_accounts')
      .values({ id, business_id: business.id, provider: 'invoice', ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute()
    await note(tx, 'payment_account.connected', actor, business.id, id, now, 'invoice')
  })
  return getPaymentAccounts(ctx, actor, business.id)
}

/**
 * Takes no new purchases by it any more. What people pay through it goes on, and is asked about, until they end it; the key is erased
 * when nothing needs it (see check-account.ts). Doing it again changes nothing. @throws AppError not_found, forbidden
 */
export async function disconnectAccount(ctx: Ctx, actor: Actor, idOrSlug: string, provider: AccountProvider): Promise<PaymentAccounts> {
  const business = await requirePermission(ctx.db, actor, idOrSlug, 'billing')
  await inTransaction(ctx.db, async (tx) => {
    await holdBusiness(tx, actor, business.id)
    const now = ctx.clock.now()
    const retired = await retire(tx, { businessId: business.id, provider, exceptId: null }, now)
    for (const id of retired) await note(tx, 'payment_account.disconnected', actor, business.id, id, now, provider)
  })
  return getPaymentAccounts(ctx, actor, business.id)
}

async function refuseConnecting(ctx: Ctx, business: { id: string; is_demo: boolean }, isMending: boolean): Promise<void> {
  if (business.is_demo) throw new AppError('forbidden', { message: 'This is a made-up business of the demo: nobody can pay it.' })
  if (!ctx.payments.takesAccounts) {
    throw new AppError('conflict', { message: 'This server is in test mode, where no money moves: there is nothing to connect.' })
  }
  if (isMending || (await businessEntitlements(ctx.db, business.id, ctx.clock.now())).has('own_prices')) return
  throw new AppError('plan_limit', { message: 'Own prices come with Business Tools, and so does an account to be paid into.' })
}

async function retire(
  tx: Tx,
  { businessId, provider, exceptId }: { businessId: string; provider: AccountProvider; exceptId: string | null },
  now: Date,
): Promise<string[]> {
  let update = tx
    .updateTable('business_payment_accounts')
    .set({ retired_at: now })
    .where('business_id', '=', businessId)
    .where('provider', '=', provider)
    .where('retired_at', 'is', null)
  if (exceptId !== null) update = update.where('id', '<>', exceptId)
  return (await update.returning('id').execute()).map(({ id }) => id)
}

const note = (tx: Tx, action: AuditEntry['action'], actor: Actor, businessId: string, subjectId: string, at: Date, provider: string) =>
  recordAudit(tx, { at, actorId: actor.id, action, subjectType: 'payment_account', subjectId, businessId, details: { provider } })
