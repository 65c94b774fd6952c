import type { AccountState, PaymentAccounts } from '#contracts/billing.ts'
import { type AccountProvider, type KeysProvider, paymentProviders, takesKeys } from '#contracts/payment-providers.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type Auth, requireProof } from '#server/features/accounts/index.ts'
import { type AuditEntry, recordAudit } from '#server/features/audit/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { type AccountKeys, AccountUnusable, ProviderRefused, ProviderUnavailable } from '#server/kernel/payments.ts'
import { businessEntitlements, lockOwnBusiness } from './entitlements.ts'
import {
  type AccountRow,
  accountIdOf,
  accountInUse,
  findAccount,
  isNeeded,
  keysOf,
  messageAddress,
  sealSecret,
} from './payment-accounts.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'jobs' | 'payments' | 'config' | 'log'>

const retryAfterSeconds = 60

/**
 * Requires proof, because someone at an owner's unattended device must not be able to redirect a business's money.
 * @throws AppError not_found, forbidden, anything `requireProof` throws
 */
export async function requireOwnerProof(ctx: Context, auth: Auth, actor: Actor, idOrSlug: string, password: string): Promise<void> {
  await requirePermission(ctx.db, actor, idOrSlug, 'billing')
  await requireProof(ctx, auth, actor, password)
}

/**
 * Connects a business's own account at a provider, or replaces the previous one, through which existing subscribers keep paying. Tests
 * the keys and creates the webhook before storing anything. Idempotent.
 * @throws AppError not_found, forbidden, invalid_input, plan_limit, conflict, unavailable
 */
export async function connectAccount(
  ctx: Ctx,
  actor: Actor,
  idOrSlug: string,
  provider: KeysProvider,
  keys: AccountKeys,
): Promise<PaymentAccounts> {
  const { sessionSecret } = ctx.config
  const business = await requirePermission(ctx.db, actor, idOrSlug, 'billing')
  const inUse = await accountInUse(ctx.db, business.id, provider)
  await refuseConnecting(ctx, business, inUse !== undefined)
  const id = accountIdOf(sessionSecret, business.id, keys.clientId)
  const known = await ctx.db
    .selectFrom('business_payment_accounts')
    .select('id')
    .where('business_id', '=', business.id)
    .where('client_id', '=', keys.clientId)
    .executeTakeFirst()
  const accountId = known?.id ?? id
  const { webhookId } = await open(ctx, provider, keys, accountId)
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnBusiness(tx, actor, business.id)
    const now = ctx.clock.now()
    await retire(tx, { businessId: business.id, provider, exceptId: accountId }, now)
    const values = {
      connected_by: actor.id,
      sealed_secret: sealSecret(sessionSecret, { id: accountId, businessId: business.id }, keys.clientSecret),
      webhook_id: webhookId,
      environment: ctx.payments.accountsAt(provider).environment,
      connected_at: now,
      checked_at: now,
      failure: null,
      failing_since: null,
      told_at: null,
      retired_at: null,
    }
    await tx
      .insertInto('business_payment_accounts')
      .values({ id: accountId, business_id: business.id, provider, client_id: keys.clientId, ...values })
      .onConflict((conflict) => conflict.columns(['business_id', 'client_id']).doUpdateSet(values))
      .execute()
    await ctx.jobs.enqueue('billing.mail-new-account', { businessId: business.id, provider }, { tx })
    await note(tx, 'payment_account.connected', actor, business.id, accountId, now, provider)
  })
  return getPaymentAccounts(ctx, actor, business.id)
}

/** @throws AppError invalid_input, conflict, unavailable */
async function open(ctx: Ctx, provider: KeysProvider, keys: AccountKeys, accountId: string): Promise<{ webhookId: string }> {
  const service = ctx.payments.accountsAt(provider)
  const { label } = paymentProviders[provider]
  try {
    return await service.openAccount(keys, messageAddress(ctx.config, provider, accountId))
  } catch (error) {
    if (error instanceof ProviderRefused) {
      throw invalidField(
        'clientSecret',
        `${label} doesn’t recognize this client ID and secret. Copy both from a ${service.environment} app.`,
      )
    }
    if (error instanceof AccountUnusable) throw new AppError('conflict', { message: error.message })
    if (!(error instanceof ProviderUnavailable)) throw error
    ctx.log.warn({ err: error }, 'the payment provider does not respond')
    throw new AppError('unavailable', {
      message: `${label} isn’t responding right now. Nothing was saved; try again in a minute.`,
      retryAfterSeconds,
      cause: error,
    })
  }
}

/**
 * Saves the payment instructions of a business's own invoices to subscribers.
 * @throws AppError not_found, forbidden, plan_limit, conflict
 */
export async function saveOwnInvoice(ctx: Ctx, actor: Actor, idOrSlug: string, instructions: string): Promise<PaymentAccounts> {
  const business = await requirePermission(ctx.db, actor, idOrSlug, 'billing')
  await refuseConnecting(ctx, business, (await accountInUse(ctx.db, business.id, 'invoice')) !== undefined)
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnBusiness(tx, actor, business.id)
    const now = ctx.clock.now()
    const known = await tx
      .selectFrom('business_payment_accounts')
      .select('id')
      .where('business_id', '=', business.id)
      .where('provider', '=', 'invoice')
      // After a merge there may be several, of which at most one is in use.
      .orderBy((eb) => eb('retired_at', 'is', null), 'desc')
      .orderBy('connected_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    const values = { instructions, connected_by: actor.id, connected_at: now, retired_at: null }
    const id = known?.id ?? newId()
    await tx
      .insertInto('business_payment_accounts')
      .values({ id, business_id: business.id, provider: 'invoice', ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute()
    await ctx.jobs.enqueue('billing.mail-new-account', { businessId: business.id, provider: 'invoice' }, { tx })
    await note(tx, 'payment_account.connected', actor, business.id, id, now, 'invoice')
  })
  return getPaymentAccounts(ctx, actor, business.id)
}

/**
 * Stops new purchases through an account. Existing payments through it continue and are still checked; the key is erased when nothing needs
 * it (see `checkAccount`). Idempotent.
 * @throws AppError not_found, forbidden
 */
export async function disconnectAccount(ctx: Ctx, actor: Actor, idOrSlug: string, provider: AccountProvider): Promise<PaymentAccounts> {
  const business = await requirePermission(ctx.db, actor, idOrSlug, 'billing')
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnBusiness(tx, actor, business.id)
    const now = ctx.clock.now()
    const retired = await retire(tx, { businessId: business.id, provider, exceptId: null }, now)
    for (const id of retired) await note(tx, 'payment_account.disconnected', actor, business.id, id, now, provider)
  })
  return getPaymentAccounts(ctx, actor, business.id)
}

async function refuseConnecting(ctx: Ctx, business: { id: string; is_demo: boolean }, isMending: boolean): Promise<void> {
  if (business.is_demo) throw new AppError('forbidden', { message: 'This is a fictional demo business. No one can pay it.' })
  if (!ctx.payments.takesAccounts) {
    throw new AppError('conflict', { message: 'This server is in test mode, where no money moves. There’s nothing to connect.' })
  }
  if (isMending || (await businessEntitlements(ctx.db, business.id, ctx.clock.now())).has('own_prices')) return
  throw new AppError('plan_limit', { message: 'You need Business Tools to set your own price and connect a payment account.' })
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

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'billing.check-accounts': Record<string, never>
    'billing.check-account': { accountId: string }
    /** Emails the owners that payments go to a new account, or that the instructions on their invoices changed. */
    'billing.mail-new-account': { businessId: string; provider: AccountProvider }
    /** Emails the owner that their account no longer works, once per series of failures. */
    'billing.notify-of-account': { accountId: string; since: string }
  }
}

type Failure = NonNullable<AccountRow['failure']>

/** How long a provider may still report an approval, and how far back to look up missed ones. Webhooks are redelivered for some days. */
export const approvalDays = 7

export async function checkAccounts(ctx: Ctx): Promise<void> {
  const rows = await ctx.db.selectFrom('business_payment_accounts').select('id').where('sealed_secret', 'is not', null).execute()
  for (const { id } of rows) await ctx.jobs.enqueue('billing.check-account', { accountId: id })
}

/**
 * Tests an account's keys and its webhook. If the keys are invalid, the account can't be used for new purchases, and its owner
 * is emailed. If the provider is unreachable, the account is only marked as silent. Erases the key of a disconnected account
 * once no purchase needs it.
 */
export async function checkAccount(ctx: Ctx, accountId: string): Promise<void> {
  const account = await findAccount(ctx.db, accountId)
  if (!account || account.sealed_secret === null || account.webhook_id === null || !takesKeys(account.provider)) return
  const service = ctx.payments.accountsAt(account.provider)
  const keys = keysOf(ctx.config, account)
  if (account.retired_at !== null && !(await isNeeded(ctx.db, account.id, new Date(ctx.clock.now().getTime() - approvalDays * dayMs)))) {
    if (keys) await service.closeAccount(keys, account.webhook_id).catch(ignoreSilence(ctx, account.id))
    await erase(ctx, account.id)
    return
  }
  if (!keys) return write(ctx, account, 'unreadable')
  try {
    const { webhookId } = await service.openAccount(keys, messageAddress(ctx.config, account.provider, account.id))
    await write(ctx, account, null, webhookId)
  } catch (error) {
    if (error instanceof ProviderRefused) return write(ctx, account, 'refused')
    if (error instanceof ProviderUnavailable) return write(ctx, account, 'silent')
    // The account's purchases are still checked every night.
    if (!(error instanceof AccountUnusable)) throw error
    ctx.log.warn({ accountId, err: error }, 'a webhook for a business’s payment account could not be created')
    await write(ctx, account, null)
  }
}

const ignoreSilence = (ctx: Pick<Ctx, 'log'>, accountId: string) => (error: unknown) => {
  if (!(error instanceof ProviderUnavailable)) throw error
  ctx.log.warn({ accountId }, 'the webhook of a business’s payment account could not be removed')
}

/** Erases the key, unless the account was reconnected in the meantime. */
async function erase(ctx: Ctx, accountId: string): Promise<void> {
  await ctx.db
    .updateTable('business_payment_accounts')
    .set({ sealed_secret: null, failure: null, failing_since: null })
    .where('id', '=', accountId)
    .where('retired_at', 'is not', null)
    .execute()
}

async function write(ctx: Ctx, account: AccountRow, failure: Failure | null, webhookId?: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const row = await tx
      .selectFrom('business_payment_accounts')
      .select(['failing_since', 'told_at'])
      .where('id', '=', account.id)
      // Skip if it was reconnected in the meantime: the tested keys are no longer the stored ones.
      .where('sealed_secret', '=', account.sealed_secret)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return
    const since = failure === null ? null : (row.failing_since ?? now)
    await tx
      .updateTable('business_payment_accounts')
      .set({
        failure,
        failing_since: since,
        checked_at: now,
        ...(failure === null ? { told_at: null } : {}),
        ...(webhookId ? { webhook_id: webhookId } : {}),
      })
      .where('id', '=', account.id)
      .execute()
    // Only these failures are the owner's to fix; an outage is the provider's.
    const isOwners = failure === 'refused' || failure === 'unreadable'
    if (!isOwners || since === null || row.told_at !== null) return
    await ctx.jobs.enqueue('billing.notify-of-account', { accountId: account.id, since: since.toISOString() }, { tx })
  })
}

/** @throws AppError not_found, forbidden */
export async function getPaymentAccounts(
  ctx: Pick<Context, 'db' | 'clock' | 'payments'>,
  actor: Actor,
  idOrSlug: string,
): Promise<PaymentAccounts> {
  const business = await requirePermission(ctx.db, actor, idOrSlug, 'billing')
  const now = ctx.clock.now()
  const rows = await accountsOf(ctx.db, business.id, now)
  const inUse = (provider: AccountRow['provider']) => rows.find((row) => row.provider === provider && row.retired_at === null)
  const [paypal, invoice] = [inUse('paypal'), inUse('invoice')]
  return {
    isOffered: ctx.payments.takesAccounts,
    mayConnect: (await businessEntitlements(ctx.db, business.id, now)).has('own_prices'),
    paypal: paypal
      ? {
          endsIn: endOf(paypal) ?? '',
          environment: paypal.environment ?? 'live',
          state: stateOf(paypal),
          failingSince: paypal.failing_since?.toISOString() ?? null,
          connectedAt: paypal.connected_at.toISOString(),
          checkedAt: paypal.checked_at?.toISOString() ?? null,
          payingCount: paypal.paying,
        }
      : null,
    invoice: invoice ? invoiceOf(invoice) : null,
    former: rows.flatMap((row) =>
      row.retired_at === null || row.paying === 0
        ? []
        : [{ provider: row.provider, endsIn: endOf(row), retiredAt: row.retired_at.toISOString(), payingCount: row.paying }],
    ),
  }
}

/** The next owner must not see a former owner's payment instructions. */
function invoiceOf(row: AccountRow & { owner_id: string | null; paying: number }): NonNullable<PaymentAccounts['invoice']> {
  const state = stateOf(row)
  return { instructions: state === 'former_owner' ? '' : (row.instructions ?? ''), state, payingCount: row.paying }
}

const accountsOf = (db: Db, businessId: string, now: Date) =>
  db
    .selectFrom('business_payment_accounts as accounts')
    .leftJoin('business_members as members', (join) =>
      join
        .onRef('members.business_id', '=', 'accounts.business_id')
        .onRef('members.user_id', '=', 'accounts.connected_by')
        .on('members.role', '=', 'owner'),
    )
    .selectAll('accounts')
    .select((eb) => [
      'members.user_id as owner_id',
      eb
        .selectFrom('agreements')
        .select((count) => count.fn.countAll<number>().as('paying'))
        .whereRef('agreements.account_id', '=', 'accounts.id')
        .where('agreements.entitled_until', '>', now)
        .where('agreements.status', '<>', 'ended')
        .$asScalar()
        .$notNull()
        .as('paying'),
    ])
    .where('accounts.business_id', '=', businessId)
    .orderBy('retired_at', 'desc')
    .execute()

const stateOf = (row: AccountRow & { owner_id: string | null }): AccountState =>
  row.owner_id === null ? 'former_owner' : (row.failure ?? 'working')

const endOf = ({ client_id }: Pick<AccountRow, 'client_id'>): string | null => client_id?.slice(-4) ?? null
