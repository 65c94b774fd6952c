import type { WayToPay } from '../../../contracts/billing.ts'
import type { Db } from '../../db/connect.ts'
import type { Context } from '../../kernel/context.ts'
import { type AccountRow, providerOfAccount } from './payment-accounts.queries.ts'

/** A way by which a business's own price can be paid; all of it goes to the business. */
export type WayToSell = WayToPay & { account: AccountRow | null }

/** By which our plans can be bought. */
export const waysToBuy = ({ payments }: Pick<Context, 'payments'>): WayToPay[] =>
  payments.offered.map((name) => {
    const provider = payments.find(name)
    return { name, isTest: name === 'test', clientId: provider?.clientId ?? null, isAvailable: provider?.isAvailable() ?? true }
  })

/**
 * By which a business's own price can be paid. Money for a business must go to the business, and all of it: the site's account and
 * the site's invoices would bring it to the site, so only accounts of its own count, and in test mode, where no money moves, that.
 */
export async function waysToSell(ctx: Pick<Context, 'payments' | 'config'>, db: Db, businessId: string): Promise<WayToSell[]> {
  if (!ctx.payments.takesAccounts) return waysToBuy(ctx).map((way) => ({ ...way, account: null }))
  const accounts = await db
    .selectFrom('business_payment_accounts as accounts')
    .innerJoin('business_members as members', (join) =>
      join
        .onRef('members.business_id', '=', 'accounts.business_id')
        .onRef('members.user_id', '=', 'accounts.connected_by')
        // Of a business that changed hands, the account is the former owner's.
        .on('members.role', '=', 'owner'),
    )
    .selectAll('accounts')
    .where('accounts.business_id', '=', businessId)
    .where('retired_at', 'is', null)
    .where((eb) => eb.or([eb('failure', 'is', null), eb('failure', '=', 'silent')]))
    .orderBy('provider', 'desc')
    .execute()
  return accounts.flatMap((account): WayToSell[] => {
    if (account.provider === 'invoice') return [{ name: 'invoice', isTest: false, clientId: null, isAvailable: true, account }]
    const provider = providerOfAccount(ctx, account)
    return provider ? [{ name: 'paypal', isTest: false, clientId: provider.clientId, isAvailable: provider.isAvailable(), account }] : []
  })
}
