import type { Selectable } from 'kysely'
import type { Checkout } from '#contracts/billing.ts'
import { formatCents } from '#contracts/money.rules.ts'
import { type ButtonProvider, buttonProviders, chargesItself } from '#contracts/payment-providers.ts'
import type { DB, Db } from '#server/db/connect.ts'
import type { Context } from '#server/kernel/context.ts'

export type CheckoutRow = Selectable<DB['checkouts']>
type Ctx = Pick<Context, 'db' | 'payments' | 'clock'>
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
    // Expired checkouts are marked only once a day.
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
