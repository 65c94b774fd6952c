import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type Agreement,
  getBusinessStanding,
  getSubscriptionOffer,
  getSubscriptionReport,
  listAgreements,
  listInvoiceCheckouts,
  listPayments,
  listPlans,
} from '../../../contracts/billing.ts'
import { getBusiness } from '../../../contracts/businesses.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { othersChange } from '../../lib/query-client.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

export const plansOptions = queryOptions({
  queryKey: queryKey(listPlans),
  queryFn: ({ signal }) => call(listPlans, {}, { signal }),
  // Whether a provider answers changes meanwhile.
  meta: othersChange,
})

/** Whose purchases: the signed-in person's own, or those for a business. */
export type Payer = { business?: string }

export const agreementsOptions = (payer: Payer = {}) =>
  infiniteQueryOptions({
    queryKey: queryKey(listAgreements, { query: payer }),
    queryFn: ({ pageParam, signal }) => callPage(listAgreements, { query: payer }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
  })

export const paymentsOptions = (payer: Payer = {}) =>
  infiniteQueryOptions({
    queryKey: queryKey(listPayments, { query: payer }),
    queryFn: ({ pageParam, signal }) => callPage(listPayments, { query: payer }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
  })

/** A business's plans and what they unlock. Only for its team. */
export const businessStandingOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getBusinessStanding, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(getBusinessStanding, { params: { id: businessId } }, { signal }),
  })

export const offerOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getSubscriptionOffer, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(getSubscriptionOffer, { params: { id: businessId } }, { signal }),
  })

export const reportOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getSubscriptionReport, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(getSubscriptionReport, { params: { id: businessId } }, { signal }),
  })

export const invoiceCheckoutsOptions = infiniteQueryOptions({
  queryKey: queryKey(listInvoiceCheckouts),
  queryFn: ({ pageParam, signal }) => callPage(listInvoiceCheckouts, {}, pageParam, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
})

// The business's page shows a badge by its plan.
const changedByPurchases = [listAgreements, listPayments, getBusinessStanding, getSubscriptionReport, getBusiness]

/** After something was bought, changed or ended: all that tells of it is asked for again, the plan on the person's badge included. */
export async function refreshBilling(client: QueryClient): Promise<void> {
  await Promise.all([
    ...changedByPurchases.map(({ path }) => client.invalidateQueries({ queryKey: [path] })),
    refreshCurrentUser().catch(() => null),
  ])
}

/** The first of the purchases that fits, however far back; null when there is none. */
export async function findAgreement(payer: Payer, fits: (agreement: Agreement) => boolean): Promise<Agreement | null> {
  let next: string | null = null
  do {
    const page: ListPage<Agreement> = await callPage(listAgreements, { query: { ...payer, limit: 100 } }, next)
    const found = page.items.find(fits)
    if (found) return found
    next = page.next
  } while (next !== null)
  return null
}
