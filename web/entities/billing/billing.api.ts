import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type Agreement,
  getBusinessPlanStatus,
  getSubscriptionOffer,
  getSubscriptionReport,
  listAgreements,
  listInvoiceCheckouts,
  listPayments,
  listPlans,
} from '#contracts/billing.ts'
import { getBusiness } from '#contracts/businesses.ts'
import { getManagedPageExtras, getPageExtras } from '#contracts/page-extras.ts'
import { call, callPage, type ListPage, queryKey } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { othersChange } from '#web/lib/query-client.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

export const plansOptions = queryOptions({
  queryKey: queryKey(listPlans),
  queryFn: ({ signal }) => call(listPlans, {}, { signal }),
  // A provider can become available or unavailable at any time.
  meta: othersChange,
})

/** Whose purchases: the viewer's own, or those of a business. */
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

/** A business's plans and entitlements. Only for its team. */
export const businessPlanStatusOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getBusinessPlanStatus, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(getBusinessPlanStatus, { params: { id: businessId } }, { signal }),
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

// The business page shows a badge, photos and links depending on the plan.
const changedByPurchases = [
  listAgreements,
  listPayments,
  getBusinessPlanStatus,
  getSubscriptionReport,
  getBusiness,
  getPageExtras,
  getManagedPageExtras,
]

/** Refetches everything that depends on purchases, including the plan on the person's badge. */
export async function refreshBilling(client: QueryClient): Promise<void> {
  await Promise.all([
    ...changedByPurchases.map(({ path }) => client.invalidateQueries({ queryKey: [path] })),
    refreshCurrentUser().catch(() => null),
  ])
}

/** The first matching purchase across all pages; null if there is none. */
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
