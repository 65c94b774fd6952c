import type { Selectable } from 'kysely'
import type { DB, Db } from '#server/db/connect.ts'
import type { Context } from '#server/kernel/context.ts'
import { type AccountKeys, type PaymentProvider, ProviderRefused } from '#server/kernel/payments.ts'
import { openSecret } from './account-secret.ts'
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

export const messageAddress = (config: Context['config'], accountId: string): string =>
  `${config.publicUrl}/api/billing/messages/paypal/${accountId}`

/** Null if the secret was erased or can no longer be decrypted. */
export function keysOf(config: Context['config'], account: AccountRow): AccountKeys | null {
  if (account.client_id === null || account.sealed_secret === null) return null
  const clientSecret = openSecret(config.sessionSecret, { id: account.id, businessId: account.business_id }, account.sealed_secret)
  return clientSecret === null ? null : { clientId: account.client_id, clientSecret }
}

export function providerOfAccount(ctx: Pick<Ctx, 'payments' | 'config'>, account: AccountRow): PaymentProvider | null {
  const keys = keysOf(ctx.config, account)
  return keys && account.webhook_id ? ctx.payments.ofAccount({ ...keys, id: account.id, webhookId: account.webhook_id }) : null
}

/**
 * The provider and account that a purchase was made through. Null if there is none, as for invoices.
 * @throws ProviderRefused if the account's key can't be read
 */
export async function providerFor(
  ctx: Ctx,
  { provider, account_id }: Pick<AgreementRow, 'provider' | 'account_id'>,
): Promise<PaymentProvider | null> {
  if (account_id === null || provider !== 'paypal') return ctx.payments.find(provider)
  const account = await findAccount(ctx.db, account_id)
  const found = account && providerOfAccount(ctx, account)
  if (!found) throw new ProviderRefused("The key of this account can't be read.")
  return found
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
