import type { QueryClient } from '@tanstack/react-query'
import { getPaymentAccounts, listOwnInvoices } from '#contracts/calls/billing.ts'
import type { PaymentAccounts } from '#contracts/payment-accounts.ts'
import { offerOptions } from '#web/entities/billing/billing.api.ts'
import { callOptions, pagesOptions } from '#web/lib/call.ts'

/** A business's payment accounts. Only for its owner. */
export const paymentAccountsOptions = (businessId: string) => callOptions(getPaymentAccounts, { params: { id: businessId } })

export const ownInvoicesOptions = (businessId: string) => pagesOptions(listOwnInvoices, { params: { id: businessId } })

/** Saves the accounts after one was connected or disconnected, and refetches the ways to pay. */
export async function cacheAccounts(client: QueryClient, businessId: string, accounts: PaymentAccounts): Promise<void> {
  client.setQueryData(paymentAccountsOptions(businessId).queryKey, accounts)
  await client.invalidateQueries({ queryKey: offerOptions(businessId).queryKey })
}
