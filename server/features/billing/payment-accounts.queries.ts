import { createHmac } from 'node:crypto'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { buttonProviders, hasButton, type KeysProvider, paymentProviders, takesKeys } from '#contracts/payment-providers.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type AuditEntry, recordAudit } from '#server/features/audit/index.ts'
import { lockSubscriberCount } from '#server/features/businesses/index.ts'
import type { Context } from '#server/kernel/context.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { type AccountKeys, type PaymentProvider, ProviderRefused, ProviderUnavailable } from '#server/kernel/payments.ts'
import { type Seal, seal, unseal } from '#server/kernel/secrets.ts'
import type { AgreementRow } from './agreements.queries.ts'

export type AccountRow = Selectable<DB['business_payment_accounts']>
type Ctx = Pick<Context, 'db' | 'payments' | 'config'>

export const findAccount = (db: Db, id: string) =>
  db.selectFrom('business_payment_accounts').selectAll().where('id', '=', id).executeTakeFirst()

export const accountInUse = (db: Db, businessId: string, provider: AccountRow['provider']) =>
  db
    .selectFrom('business_payment_accounts')
    .selectAll()
    .where('business_id', '=', businessId)
    .where('provider', '=', provider)
    .where('retired_at', 'is', null)
    .executeTakeFirst()

export const messageAddress = (config: Context['config'], provider: KeysProvider, accountId: string): string =>
  `${config.publicUrl}/api/billing/messages/${provider}/${accountId}`

/** Null if the secret was erased or can no longer be decrypted. */
export function keysOf(config: Context['config'], account: AccountRow): AccountKeys | null {
  if (account.client_id === null || account.sealed_secret === null) return null
  const clientSecret = unseal(sealOf(config.sessionSecret, { id: account.id, businessId: account.business_id }), account.sealed_secret)
  return clientSecret === null ? null : { clientId: account.client_id, clientSecret }
}

export function providerOfAccount(ctx: Pick<Ctx, 'payments' | 'config'>, account: AccountRow): PaymentProvider | null {
  const keys = keysOf(ctx.config, account)
  if (!keys || !account.webhook_id || !takesKeys(account.provider)) return null
  return ctx.payments.accountsAt(account.provider).ofAccount({ ...keys, id: account.id, webhookId: account.webhook_id })
}

/**
 * The provider and account that a purchase was made through. Null if there is none, as for invoices.
 * @throws ProviderRefused if the account's key can't be read
 * @throws ProviderUnavailable if this server isn't configured for the provider
 */
export async function providerFor(
  ctx: Ctx,
  { provider, account_id }: Pick<AgreementRow, 'provider' | 'account_id'>,
): Promise<PaymentProvider | null> {
  if (account_id === null || !takesKeys(provider)) {
    const site = ctx.payments.find(provider)
    if (!site && hasButton(provider)) throw new ProviderUnavailable(`This server isn’t configured for ${paymentProviders[provider].label}.`)
    return site
  }
  const account = await findAccount(ctx.db, account_id)
  const found = account && providerOfAccount(ctx, account)
  if (!found) throw new ProviderRefused('This account’s key can’t be read.')
  return found
}

type Charged = Pick<AgreementRow, 'provider' | 'account_id'> & { account_failure: AccountRow['failure'] }

/** Whether the server can't stop the charges, because the account's keys don't work or the site is no longer configured for the provider. */
export const isUnreachable = ({ payments }: Pick<Ctx, 'payments'>, { provider, account_id, account_failure }: Charged): boolean =>
  account_id === null
    ? hasButton(provider) && payments.find(provider) === null
    : account_failure === 'refused' || account_failure === 'unreadable'

/** Logs how many of the site's purchases may still charge through each provider that this server is no longer configured for. */
export async function warnOfUnreachable({ db, payments, log }: Pick<Context, 'db' | 'payments' | 'log'>): Promise<void> {
  const unknown = buttonProviders.filter((name) => payments.find(name) === null)
  const rows = await db
    .selectFrom('agreements')
    .select((eb) => ['provider', eb.fn.countAll<number>().as('purchases')])
    .where('provider', 'in', unknown)
    .where('account_id', 'is', null)
    .where('closed_at', 'is', null)
    .where('paused_at', 'is', null)
    .groupBy('provider')
    .execute()
  for (const row of rows) log.warn(row, 'purchases are still charged by a provider that this server isn’t configured for')
}

/** An account's key is needed while people still pay, or may have approved a payment, through it. */
export async function isNeeded(db: Db, accountId: string, approvedSince: Date): Promise<boolean> {
  const agreement = await db
    .selectFrom('agreements')
    .select('id')
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('status', '<>', 'ended'), eb('closed_at', 'is', null)]))
    .executeTakeFirst()
  if (agreement) return true
  const checkout = await db
    .selectFrom('checkouts')
    .select('id')
    .where('account_id', '=', accountId)
    .where('agreement_id', 'is', null)
    .where('created_at', '>=', approvedSince)
    .executeTakeFirst()
  return checkout !== undefined
}

/**
 * Call when the people who connected these accounts are gone for good. No one can buy or be charged through the accounts anymore, and
 * their owners' payment instructions are deleted. Their keys are erased once nothing needs them (see `checkAccount`). Record the returned
 * entries at the end of the transaction.
 */
export async function abandonAccounts(
  tx: Tx,
  { jobs }: Pick<Context, 'jobs'>,
  { businessId, which, now }: { businessId: string; which: RawBuilder<boolean>; now: Date },
): Promise<AuditEntry[]> {
  const abandoned = await tx
    .updateTable('business_payment_accounts')
    .set((eb) => ({
      connected_by: null,
      retired_at: eb.fn.coalesce('retired_at', eb.val(now)),
      instructions: eb.case().when('instructions', 'is not', null).then('').end(),
    }))
    .where('business_id', '=', businessId)
    .where(which)
    .where((eb) => eb.or([eb('connected_by', 'is not', null), eb('retired_at', 'is', null)]))
    .returning(['id', 'provider'])
    .execute()
  await tx
    .updateTable('checkouts')
    .set({ status: 'expired' })
    .where(sql<boolean>`account_id = any(${idsOf(abandoned)}::uuid[])`)
    .where('status', '=', 'open')
    .execute()
  await jobs.enqueue('billing.end-subscriptions', { businessId }, { tx })
  return abandoned.map(({ id, provider }) => ({
    at: now,
    actorId: null,
    action: 'payment_account.disconnected',
    subjectType: 'payment_account',
    subjectId: id,
    businessId,
    details: { provider },
  }))
}

const batch = 50

export const eraseAccounts: EraseStep = {
  name: 'payment accounts',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db
      .selectFrom('business_payment_accounts')
      .select('business_id')
      .distinct()
      .where('connected_by', '=', userId)
      .limit(batch)
      .execute()
    for (const { business_id: businessId } of rows) {
      await inTransaction(ctx.db, async (tx) => {
        await lockSubscriberCount(tx, businessId)
        const which = sql<boolean>`connected_by = ${userId}::uuid`
        const entries = await abandonAccounts(tx, ctx, { businessId, which, now: ctx.clock.now() })
        for (const entry of entries) await recordAudit(tx, entry)
      })
    }
    return rows.length
  },
}

type Bound = { id: string; businessId: string }

const sealOf = (serverSecret: string, { id, businessId }: Bound): Seal => ({
  serverSecret,
  purpose: 'payment account secrets 1',
  about: `${businessId}|${id}`,
})

export const sealSecret = (serverSecret: string, bound: Bound, secret: string): string => seal(sealOf(serverSecret, bound), secret)

/**
 * Moves the accounts of a merged business. Keys are encrypted for one business, so they are encrypted again. A disconnected account stays
 * behind if the other business has one with the same client ID: what people pay through it doesn't need a business.
 */
export async function moveAccounts(
  tx: Tx,
  { config }: Pick<Context, 'config'>,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> {
  const accounts = await tx
    .selectFrom('business_payment_accounts')
    .selectAll()
    .where('business_id', 'in', [fromId, intoId])
    .forUpdate()
    .execute()
  const known = new Set(accounts.flatMap((each) => (each.business_id === intoId && each.client_id !== null ? [each.client_id] : [])))
  const moving = accounts.filter((each) => each.business_id === fromId && !known.has(each.client_id ?? ''))
  for (const account of moving) {
    const keys = keysOf(config, account)
    const sealed = keys && sealSecret(config.sessionSecret, { id: account.id, businessId: intoId }, keys.clientSecret)
    await tx
      .updateTable('business_payment_accounts')
      .set({ business_id: intoId, ...(sealed && { sealed_secret: sealed }) })
      .where('id', '=', account.id)
      .execute()
  }
}

/**
 * Deterministic per business and client ID: if the server stops after creating the webhook but before storing it, the next
 * attempt finds that webhook.
 */
export function accountIdOf(serverSecret: string, businessId: string, clientId: string): string {
  const hash = createHmac('sha256', serverSecret).update(`payment account|${businessId}|${clientId}`).digest('hex')
  // A version 8 UUID (RFC 9562): custom format.
  return [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `a${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}
