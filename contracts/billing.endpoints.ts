import { PasswordAgain } from './accounts.ts'
import {
  AccountProvider,
  Agreement,
  Checkout,
  InvoiceMoney,
  NewCheckout,
  OfferedPlan,
  OpenInvoice,
  OwnInvoice,
  Payment,
  PaymentAccounts,
  PayPalKeys,
  PlanStatus,
  PublicOffer,
  ReceivedPayment,
  Refund,
  SubscriptionOffer,
  SubscriptionReport,
  WayToPay,
} from './billing.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams, IdParams, line, page } from './fields.ts'
import * as z from './zod.ts'

export const listPlans = endpoint({
  method: 'GET',
  path: '/api/plans',
  summary: 'List all plans, and the payment providers through which they can be bought',
  tag: 'Billing',
  access: 'public',
  response: z.object({
    plans: z.array(OfferedPlan),
    providers: z.array(WayToPay),
  }),
})

export const beginCheckout = endpoint({
  method: 'POST',
  path: '/api/billing/checkouts',
  summary: 'Begin a checkout; nothing is bought until the provider confirms it',
  tag: 'Billing',
  access: 'member',
  words: 'payment',
  idempotent: true,
  body: NewCheckout,
  response: Checkout,
  status: 201,
})

export const getCheckout = endpoint({
  method: 'GET',
  path: '/api/billing/checkouts/:id',
  summary: 'Read one of your checkouts',
  tag: 'Billing',
  access: 'member',
  params: IdParams,
  response: Checkout,
})

export const approveCheckout = endpoint({
  method: 'POST',
  path: '/api/billing/checkouts/:id/approval',
  summary: 'Complete a checkout that the provider approved. The server verifies the approval with the provider.',
  tag: 'Billing',
  access: 'member',
  words: 'payment',
  params: IdParams,
  body: z.object({ subscriptionID: line(100, 'The subscription ID is missing') }),
  response: Agreement,
})

export const answerTestCheckout = endpoint({
  method: 'POST',
  path: '/api/billing/test/checkouts/:id/answers',
  summary: "Approve or refuse a checkout with the test provider, which moves no money. Returns what PayPal's button would return.",
  tag: 'Billing',
  access: 'member',
  params: IdParams,
  body: z.object({ outcome: z.enum(['approve', 'refuse']) }),
  response: z.object({ subscriptionID: z.nullable(z.string()) }),
})

export const listAgreements = endpoint({
  method: 'GET',
  path: '/api/billing/agreements',
  summary: 'List your purchases or, with `business`, those of a business you own, newest first',
  tag: 'Billing',
  access: 'member',
  whileSuspended: true,
  paginated: true,
  query: z.object({ ...page, business: z.optional(Id) }),
  response: z.array(Agreement),
})

export const cancelAgreement = endpoint({
  method: 'POST',
  path: '/api/billing/agreements/:id/cancellation',
  summary: 'Cancel a purchase at the end of the paid period. Idempotent.',
  tag: 'Billing',
  access: 'member',
  whileSuspended: true,
  params: IdParams,
  response: Agreement,
})

export const resumeAgreement = endpoint({
  method: 'POST',
  path: '/api/billing/agreements/:id/resumption',
  summary: 'Resume a canceled purchase before its paid period ends. Idempotent.',
  tag: 'Billing',
  access: 'member',
  params: IdParams,
  response: Agreement,
})

export const assignAgreement = endpoint({
  method: 'PUT',
  path: '/api/billing/agreements/:id/business',
  summary: 'Assign a plan to a business (once per plan), or move Starter to another business (at most once every 30 days)',
  tag: 'Billing',
  access: 'member',
  params: IdParams,
  body: z.object({ businessId: Id }),
  response: Agreement,
})

export const listPayments = endpoint({
  method: 'GET',
  path: '/api/billing/payments',
  summary: 'List your payments, newest first, or with `business`, those for the plans of a business you own',
  tag: 'Billing',
  access: 'member',
  whileSuspended: true,
  paginated: true,
  query: z.object({ ...page, business: z.optional(Id) }),
  response: z.array(Payment),
})

export const getBusinessPlanStatus = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/plan',
  summary: "List a business's plans and what they unlock (team only)",
  tag: 'Billing',
  access: 'member',
  params: IdOrSlugParams,
  response: PlanStatus,
})

export const getOwnPlanStatus = endpoint({
  method: 'GET',
  path: '/api/billing/plan',
  summary: 'List your plans and what they unlock',
  tag: 'Billing',
  access: 'member',
  response: PlanStatus,
})

export const getSubscriptionOffer = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/subscription-offer',
  summary: 'Read the price and benefits of subscribing to a business',
  tag: 'Billing',
  access: 'public',
  params: IdOrSlugParams,
  response: PublicOffer,
})

export const saveSubscriptionOffer = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/subscription-offer',
  summary:
    'Set the price and benefits of subscribing; a price requires the entitlement `own_prices`. Current subscribers keep their price.',
  tag: 'Billing',
  access: 'member',
  words: 'mixed',
  params: IdOrSlugParams,
  body: SubscriptionOffer,
  response: PublicOffer,
})

export const getSubscriptionReport = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/subscription-report',
  summary: "Read a business's subscribers, revenue and churn (owner and managers only). Contains no names.",
  tag: 'Billing',
  access: 'member',
  params: IdOrSlugParams,
  response: SubscriptionReport,
})

export const recordInvoicePayment = endpoint({
  method: 'POST',
  path: '/api/admin/invoice-payments',
  summary: 'Record the payment of an invoice, which begins or extends the purchase',
  tag: 'Billing',
  access: 'admin',
  words: 'office',
  idempotent: true,
  body: InvoiceMoney,
  response: Agreement,
  status: 201,
})

export const recordRefund = endpoint({
  method: 'POST',
  path: '/api/admin/payments/:id/refunds',
  summary: 'Record a full or partial refund of a payment, and the reason',
  tag: 'Billing',
  access: 'admin',
  words: 'office',
  idempotent: true,
  params: IdParams,
  body: Refund,
  response: Payment,
})

export const listInvoiceCheckouts = endpoint({
  method: 'GET',
  path: '/api/admin/invoice-checkouts',
  summary: "List the site's unpaid invoices for purchases, newest first",
  tag: 'Billing',
  access: 'admin',
  paginated: true,
  query: z.object(page),
  response: z.array(OpenInvoice),
})

const SubscriptionState = z.object({ businessId: Id, isSubscribed: z.boolean(), subscriberCount: z.int() })
const BusinessIdParams = z.object({ businessId: Id })

export const subscribe = endpoint({
  method: 'POST',
  path: '/api/subscriptions',
  summary: 'Subscribe to a business. Returns 402 if it charges a price; begin a checkout instead. Idempotent.',
  tag: 'Subscriptions',
  access: 'member',
  body: BusinessIdParams,
  response: SubscriptionState,
})

export const unsubscribe = endpoint({
  method: 'DELETE',
  path: '/api/subscriptions/:businessId',
  summary: 'End a subscription. Returns 409 while a paid one renews; cancel the purchase first. Idempotent.',
  tag: 'Subscriptions',
  access: 'member',
  params: BusinessIdParams,
  response: SubscriptionState,
})

export const getPaymentAccounts = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/payment-accounts',
  summary: "Read how a business's subscribers pay (owner only). Never returns a secret.",
  tag: 'Billing',
  access: 'member',
  params: IdOrSlugParams,
  response: PaymentAccounts,
})

export const connectPayPal = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/payment-accounts/paypal',
  summary: "Connect or replace a business's PayPal account. Before storing anything, the server checks the keys and creates the webhook.",
  tag: 'Billing',
  access: 'member',
  words: 'account',
  rateLimit: 'sign-in',
  params: IdOrSlugParams,
  body: z.extend(PayPalKeys, { password: PasswordAgain }),
  response: PaymentAccounts,
})

export const saveOwnInvoice = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/payment-accounts/invoice',
  summary: "Set how subscribers pay the business's own invoices",
  tag: 'Billing',
  access: 'member',
  words: 'payment',
  params: IdOrSlugParams,
  body: z.extend(OwnInvoice, { password: PasswordAgain }),
  response: PaymentAccounts,
})

export const disconnectAccount = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/payment-accounts/:provider',
  summary: 'Stop new purchases through the account. Current ones continue until canceled; the key is erased when none are left.',
  tag: 'Billing',
  access: 'member',
  params: z.object({ ...IdOrSlugParams.shape, provider: AccountProvider }),
  response: PaymentAccounts,
  status: 200,
})

export const listOwnInvoices = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/invoice-checkouts',
  summary: 'List unpaid invoices for subscriptions to a business, newest first (owner only)',
  tag: 'Billing',
  access: 'member',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object(page),
  response: z.array(OpenInvoice),
})

export const recordOwnInvoicePayment = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/invoice-payments',
  summary: "Record a payment of the business's own invoice for a subscription to it (owner only)",
  tag: 'Billing',
  access: 'member',
  words: 'payment',
  idempotent: true,
  params: IdOrSlugParams,
  body: InvoiceMoney,
  response: Agreement,
  status: 201,
})

export const listOwnInvoicePayments = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/invoice-payments',
  summary: "List the recorded payments of the business's own invoices, newest first (owner only)",
  tag: 'Billing',
  access: 'member',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object(page),
  response: z.array(ReceivedPayment),
})

export const recordOwnInvoiceRefund = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/invoice-payments/:paymentId/refunds',
  summary: "Record a full or partial refund of a payment of the business's own invoice, and the reason (owner only)",
  tag: 'Billing',
  access: 'member',
  words: 'payment',
  idempotent: true,
  params: z.object({ ...IdOrSlugParams.shape, paymentId: Id }),
  body: Refund,
  response: Payment,
})
