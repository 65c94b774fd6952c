import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getPaymentAccounts, listOwnInvoices, type PaymentAccounts } from '#contracts/payment-accounts.ts'
import { offerOptions } from '#web/entities/billing/billing.api.ts'
import { call, callPage, type ListPage, queryKey } from '#web/lib/call.ts'

/** A business's payment accounts. Only for its owner. */
export const paymentAccountsOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getPaymentAccounts, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(getPaymentAccounts, { params: { id: businessId } }, { signal }),
  })

export const ownInvoicesOptions = (businessId: string) =>
  infiniteQueryOptions({
    queryKey: queryKey(listOwnInvoices, { params: { id: businessId } }),
    queryFn: ({ pageParam, signal }) => callPage(listOwnInvoices, { params: { id: businessId } }, pageParam, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<unknown>) => next,
  })

/** Saves the accounts after one was connected or disconnected, and refetches the ways to pay. */
export async function cacheAccounts(client: QueryClient, businessId: string, accounts: PaymentAccounts): Promise<void> {
  client.setQueryData(paymentAccountsOptions(businessId).queryKey, accounts)
  await client.invalidateQueries({ queryKey: offerOptions(businessId).queryKey })
}
