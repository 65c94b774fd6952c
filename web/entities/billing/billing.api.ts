import type { QueryClient } from '@tanstack/react-query'
import type { Agreement } from '#contracts/billing.ts'
import {
  getBusinessPlanStatus,
  getPaymentAccounts,
  getSubscriptionOffer,
  getSubscriptionReport,
  listAgreements,
  listInvoiceCheckouts,
  listOwnInvoices,
  listPayments,
  listPlans,
} from '#contracts/calls/billing.ts'
import { getBusiness } from '#contracts/calls/businesses.ts'
import { getManagedPageExtras, getPageExtras } from '#contracts/calls/page-extras.ts'
import { callOptions, callPage, type ListPage, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { othersChange } from '#web/lib/query-client.ts'

export const plansOptions = {
  ...callOptions(listPlans, {}),
  // A provider can become available or unavailable at any time.
  meta: othersChange,
}

/** Whose purchases: the viewer's own, or those of a business. */
export type Payer = { business?: string }

export const agreementsOptions = (payer: Payer = {}) => pagesOptions(listAgreements, { query: payer })

export const paymentsOptions = (payer: Payer = {}) => pagesOptions(listPayments, { query: payer })

/** A business's plans and entitlements. Only for its team. */
export const businessPlanStatusOptions = (businessId: string) => callOptions(getBusinessPlanStatus, { params: { id: businessId } })

export const offerOptions = (businessId: string) => callOptions(getSubscriptionOffer, { params: { id: businessId } })

export const reportOptions = (businessId: string) => callOptions(getSubscriptionReport, { params: { id: businessId } })

export const invoiceCheckoutsOptions = pagesOptions(listInvoiceCheckouts, {})

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
  await Promise.all([refreshCalls(client, changedByPurchases), refreshCurrentUser().catch(() => null)])
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

/** Call after a payment by invoice was recorded. */
export async function refreshInvoices(client: QueryClient): Promise<void> {
  await Promise.all([refreshCalls(client, [listInvoiceCheckouts, listOwnInvoices, getPaymentAccounts]), refreshBilling(client)])
}
