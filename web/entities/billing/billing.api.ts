import type { QueryClient } from '@tanstack/react-query'
import type { Agreement, PaymentAccounts } from '#contracts/billing.ts'
import {
  getBusinessPlanStatus,
  getPaymentAccounts,
  getSubscriptionOffer,
  getSubscriptionReport,
  listAgreements,
  listInvoiceCheckouts,
  listOwnInvoicePayments,
  listOwnInvoices,
  listPayments,
  listPlans,
} from '#contracts/calls/billing.ts'
import { getBusiness } from '#contracts/calls/businesses.ts'
import { getInsights } from '#contracts/calls/insights.ts'
import { getLocationLimit } from '#contracts/calls/locations.ts'
import { getMenuSettings } from '#contracts/calls/menus.ts'
import { getManagedPageExtras, getPageExtras } from '#contracts/calls/page-extras.ts'
import { callOptions, callPage, type ListPage, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { othersChange } from '#web/lib/query-client.ts'

export const plansOptions = {
  ...callOptions(listPlans, {}),
  // A provider can become available or unavailable at any time.
  meta: othersChange,
}

export type Payer = { business?: string }

export const agreementsOptions = (payer: Payer = {}) => pagesOptions(listAgreements, { query: payer })

export const paymentsOptions = (payer: Payer = {}) => pagesOptions(listPayments, { query: payer })

/** Only for the business's team. */
export const businessPlanStatusOptions = (businessId: string) => callOptions(getBusinessPlanStatus, { params: { id: businessId } })

export const offerOptions = (businessId: string) => callOptions(getSubscriptionOffer, { params: { id: businessId } })

export const refreshOffers = (client: QueryClient): Promise<void> => refreshCalls(client, [getSubscriptionOffer, listPlans])

export const reportOptions = (businessId: string) => callOptions(getSubscriptionReport, { params: { id: businessId } })

export const invoiceCheckoutsOptions = { ...pagesOptions(listInvoiceCheckouts, {}), meta: othersChange }

// The plan determines a business's limits, what its page contains and whether its team sees figures.
const changedByPurchases = [
  listAgreements,
  listPayments,
  getBusinessPlanStatus,
  getSubscriptionReport,
  getBusiness,
  getPageExtras,
  getManagedPageExtras,
  getInsights,
  getMenuSettings,
  getLocationLimit,
]

export async function refreshBilling(client: QueryClient): Promise<void> {
  await Promise.all([refreshCalls(client, changedByPurchases), refreshCurrentUser().catch(() => null)])
}

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

export async function refreshInvoices(client: QueryClient): Promise<void> {
  await Promise.all([
    refreshCalls(client, [listInvoiceCheckouts, listOwnInvoices, listOwnInvoicePayments, getPaymentAccounts]),
    refreshBilling(client),
  ])
}

/** Only for the business's owner. */
export const paymentAccountsOptions = (businessId: string) => callOptions(getPaymentAccounts, { params: { id: businessId } })

export const ownInvoicesOptions = (businessId: string) => ({
  ...pagesOptions(listOwnInvoices, { params: { id: businessId } }),
  meta: othersChange,
})

export const receivedPaymentsOptions = (businessId: string) => ({
  ...pagesOptions(listOwnInvoicePayments, { params: { id: businessId } }),
  meta: othersChange,
})

/** Call after connecting or disconnecting an account, which changes the ways to pay. */
export async function cacheAccounts(client: QueryClient, businessId: string, accounts: PaymentAccounts): Promise<void> {
  client.setQueryData(paymentAccountsOptions(businessId).queryKey, accounts)
  await client.invalidateQueries({ queryKey: offerOptions(businessId).queryKey })
}
