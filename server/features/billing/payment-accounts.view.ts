import type { AccountState, PaymentAccounts } from '#contracts/payment-accounts.ts'
import type { Db } from '#server/db/connect.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { businessEntitlements } from './entitlements.ts'
import type { AccountRow } from './payment-accounts.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'payments'>

/** @throws AppError not_found, forbidden */
export async function getPaymentAccounts(ctx: Ctx, actor: Actor, idOrSlug: string): Promise<PaymentAccounts> {
  const business = await requirePermission(ctx.db, actor, idOrSlug, 'billing')
  const now = ctx.clock.now()
  const rows = await accountsOf(ctx.db, business.id, now)
  const inUse = (provider: AccountRow['provider']) => rows.find((row) => row.provider === provider && row.retired_at === null)
  const [paypal, invoice] = [inUse('paypal'), inUse('invoice')]
  return {
    isOffered: ctx.payments.takesAccounts,
    mayConnect: paypal !== undefined || (await businessEntitlements(ctx.db, business.id, now)).has('own_prices'),
    paypal: paypal
      ? {
          endsIn: endOf(paypal) ?? '',
          environment: paypal.environment ?? 'live',
          state: stateOf(paypal),
          failingSince: paypal.failing_since?.toISOString() ?? null,
          connectedAt: paypal.connected_at.toISOString(),
          checkedAt: paypal.checked_at?.toISOString() ?? null,
          payingCount: Number(paypal.paying),
        }
      : null,
    invoice: invoice ? { instructions: invoice.instructions ?? '', state: stateOf(invoice), payingCount: Number(invoice.paying) } : null,
    former: rows.flatMap((row) =>
      row.retired_at === null || Number(row.paying) === 0
        ? []
        : [{ provider: row.provider, endsIn: endOf(row), retiredAt: row.retired_at.toISOString(), payingCount: Number(row.paying) }],
    ),
  }
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
        .as('paying'),
    ])
    .where('accounts.business_id', '=', businessId)
    .orderBy('retired_at', 'desc')
    .execute()

const stateOf = (row: AccountRow & { owner_id: string | null }): AccountState =>
  row.owner_id === null ? 'former_owner' : (row.failure ?? 'working')

const endOf = ({ client_id }: Pick<AccountRow, 'client_id'>): string | null => client_id?.slice(-4) ?? null
