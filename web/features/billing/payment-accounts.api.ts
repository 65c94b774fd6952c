import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getPaymentAccounts, listOwnInvoices, type PaymentAccounts } from '../../../contracts/payment-accounts.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'
import { offerOptions } from './billing.api.ts'

/** Where a business's own money goes. Only for its owner. */
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

/** After an account was connected or taken away: what can be paid by has changed with it. */
export async function keepAccounts(client: QueryClient, businessId: string, accounts: PaymentAccounts): Promise<void> {
  client.setQueryData(paymentAccountsOptions(businessId).queryKey, accounts)
  await client.invalidateQueries({ queryKey: offerOptions(businessId).queryKey })
}
