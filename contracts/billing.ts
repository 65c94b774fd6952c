import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { entitlements } from './entitlements.ts'
import { Id, IdOrSlugParams, IdParams } from './ids.ts'
import { Currency, Price } from './money.ts'
import { page } from './pagination.ts'
import { line } from './text.ts'

/** How money comes in. `test` moves none and says so everywhere. */
export const PaymentProviderName = z.enum(['test', 'paypal', 'invoice'])
export type PaymentProviderName = z.infer<typeof PaymentProviderName>

const Money = z.object({ amount: z.string(), currency: Currency })

export const WayToPay = z.object({
  name: PaymentProviderName,
  /** No money moves. */
  isTest: z.boolean(),
  /** What PayPal's script in the page needs; null for the others. */
  clientId: z.nullable(z.string()),
  /** False while the provider does not answer: nothing else is affected. */
  isAvailable: z.boolean(),
})
export type WayToPay = z.infer<typeof WayToPay>

export const OfferedPlan = z.object({
  id: z.string(),
  name: z.string(),
  audience: z.enum(['person', 'business']),
  price: Money,
  features: z.array(z.string()),
  badge: z.nullable(z.string()),
  /** What its lines mean, in plain sentences. */
  details: z.array(z.string()),
  /** What must be known before paying; null: nothing more. */
  notice: z.nullable(z.string()),
  /** Only a person who owns a business can buy it, because it unlocks something for one. */
  needsBusiness: z.boolean(),
  entitlements: z.array(z.enum(entitlements)),
})
export type OfferedPlan = z.infer<typeof OfferedPlan>

export const listPlans = endpoint({
  method: 'GET',
  path: '/api/plans',
  summary: 'Every plan, and by which payment providers it can be bought here',
  tag: 'Billing',
  access: 'public',
  response: z.object({
    plans: z.array(OfferedPlan),
    providers: z.array(WayToPay),
  }),
})

/**
 * `open` waits for the payer's approval at the provider; `approved` has its `agreementId`; a `refused` or `expired` one needs a new one.
 */
export const CheckoutStatus = z.enum(['open', 'approved', 'refused', 'expired'])

export const Checkout = z.object({
  id: Id,
  status: CheckoutStatus,
  provider: PaymentProviderName,
  /** "Business Tools for Green Hills Farm", "Subscription to Green Hills Farm". */
  title: z.string(),
  planId: z.nullable(z.string()),
  businessId: z.nullable(Id),
  price: Money,
  /** PayPal: what its button passes to `actions.subscription.create`. */
  paypal: z.nullable(z.object({ clientId: z.string(), planId: z.string(), customId: z.string() })),
  /** Invoice: how to pay, in words. */
  instructions: z.nullable(z.string()),
  agreementId: z.nullable(Id),
  expiresAt: z.iso.datetime(),
})
export type Checkout = z.infer<typeof Checkout>

export const NewCheckout = z.object({
  provider: PaymentProviderName,
  /** One of our plans … */
  planId: z.optional(line(40)),
  /** … for this business (plans of businesses, and Starter for its menu; without one, it waits for the business that is named later) … */
  businessId: z.optional(z.nullable(Id)),
  /** … or a subscription to this business at its price. */
  subscribeTo: z.optional(Id),
  /** The agreement that this one takes the place of: an upgrade or a downgrade. */
  replaces: z.optional(Id),
})
export type NewCheckout = z.infer<typeof NewCheckout>

export const beginCheckout = endpoint({
  method: 'POST',
  path: '/api/billing/checkouts',
  summary: 'Begin a purchase: nothing is bought until the provider says so',
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
  summary: "One of the signed-in person's own checkouts",
  tag: 'Billing',
  access: 'member',
  params: IdParams,
  response: Checkout,
})

/** A purchase that runs: what the provider says of it, as we last heard. */
export const AgreementStatus = z.enum([
  /** Approved; the first payment is on its way. Grants nothing yet. */
  'pending',
  'active',
  /** A payment failed; what it unlocks is kept until `graceUntil`. */
  'past_due',
  /** Ends with the paid period. */
  'canceled',
  'ended',
])
export type AgreementStatus = z.infer<typeof AgreementStatus>

export const Agreement = z.object({
  id: Id,
  provider: PaymentProviderName,
  title: z.string(),
  planId: z.nullable(z.string()),
  business: z.nullable(z.object({ id: Id, slug: z.string(), name: z.string() })),
  /** A person's subscription to that business, at its price. */
  isSubscription: z.boolean(),
  price: Money,
  status: AgreementStatus,
  paidUntil: z.nullable(z.iso.datetime()),
  graceUntil: z.nullable(z.iso.datetime()),
  /** It is over here, and the provider could not be told, because the business's account refuses us: the payer ends it there. */
  mayStillCharge: z.boolean(),
  createdAt: z.iso.datetime(),
  /** A plan that lifts the limit of one menu: from when on it can be moved to another business. Null: now, or never. */
  movesOn: z.nullable(z.iso.datetime()),
  /** Plan ids that it can be changed to. */
  changesTo: z.array(z.string()),
  abilities: z.object({ cancel: z.boolean(), resume: z.boolean(), change: z.boolean(), assign: z.boolean() }),
})
export type Agreement = z.infer<typeof Agreement>

export const approveCheckout = endpoint({
  method: 'POST',
  path: '/api/billing/checkouts/:id/approval',
  summary: 'Say that the provider approved: the server asks the provider itself, and believes nothing else',
  tag: 'Billing',
  access: 'member',
  words: 'payment',
  params: IdParams,
  body: z.object({ subscriptionID: line(100, 'The subscription id is missing') }),
  response: Agreement,
})

export const answerTestCheckout = endpoint({
  method: 'POST',
  path: '/api/billing/test/checkouts/:id/answers',
  summary: "The test provider's own approval window: no money moves. Answers what PayPal's button would hand back",
  tag: 'Billing',
  access: 'member',
  params: IdParams,
  body: z.object({ outcome: z.enum(['approve', 'refuse']) }),
  response: z.object({ subscriptionID: z.nullable(z.string()) }),
})

export const listAgreements = endpoint({
  method: 'GET',
  path: '/api/billing/agreements',
  summary: "The signed-in person's own purchases, newest first; with `business`, that business's (owner only)",
  tag: 'Billing',
  access: 'member',
  paginated: true,
  query: z.object({ ...page, business: z.optional(Id) }),
  response: z.array(Agreement),
})

export const cancelAgreement = endpoint({
  method: 'POST',
  path: '/api/billing/agreements/:id/cancellation',
  summary: 'End a purchase with the period that is paid; canceling again changes nothing',
  tag: 'Billing',
  access: 'member',
  params: IdParams,
  response: Agreement,
})

export const resumeAgreement = endpoint({
  method: 'POST',
  path: '/api/billing/agreements/:id/resumption',
  summary: 'Take a cancellation back before the paid period ends: the purchase renews as before. Idempotent',
  tag: 'Billing',
  access: 'member',
  params: IdParams,
  response: Agreement,
})

export const assignAgreement = endpoint({
  method: 'PUT',
  path: '/api/billing/agreements/:id/business',
  summary: 'Choose the business of a plan that was bought before there was one (once), or whose menu Starter lifts (every 30 days)',
  tag: 'Billing',
  access: 'member',
  params: IdParams,
  body: z.object({ businessId: Id }),
  response: Agreement,
})

export const Payment = z.object({
  id: Id,
  agreementId: Id,
  title: z.string(),
  money: Money,
  status: z.enum(['paid', 'failed', 'refunded', 'partially_refunded']),
  refunded: z.nullable(Money),
  provider: PaymentProviderName,
  paidAt: z.iso.datetime(),
  receiptNumber: z.nullable(z.string()),
  /** A PDF. */
  receiptUrl: z.nullable(z.string()),
})
export type Payment = z.infer<typeof Payment>

export const listPayments = endpoint({
  method: 'GET',
  path: '/api/billing/payments',
  summary: "The signed-in person's own payments, newest first; with `business`, those for that business's plans (owner only)",
  tag: 'Billing',
  access: 'member',
  paginated: true,
  query: z.object({ ...page, business: z.optional(Id) }),
  response: z.array(Payment),
})

/** What a person or a business has today, and until when. */
export const Standing = z.object({
  plans: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** When it ends, if it was canceled. */
      endsAt: z.nullable(z.iso.datetime()),
    }),
  ),
  entitlements: z.array(z.enum(entitlements)),
  /** A payment failed or the provider is lost: until when it all stays. */
  graceUntil: z.nullable(z.iso.datetime()),
})
export type Standing = z.infer<typeof Standing>

export const getBusinessStanding = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/plan',
  summary: "A business's plans and what they unlock, for its team",
  tag: 'Billing',
  access: 'member',
  params: IdOrSlugParams,
  response: Standing,
})

export const getOwnStanding = endpoint({
  method: 'GET',
  path: '/api/billing/plan',
  summary: "The signed-in person's own plans and what they unlock",
  tag: 'Billing',
  access: 'member',
  response: Standing,
})

/** What a business asks of its subscribers. */
export const SubscriptionOffer = z.object({
  /** Null: subscribing is free. */
  price: z.nullable(Price),
  currency: Currency,
  title: line(80),
  perks: z.array(line(120)).check(z.maxLength(8, 'At most 8 lines')),
})
export type SubscriptionOffer = z.infer<typeof SubscriptionOffer>

export const PublicOffer = z.extend(SubscriptionOffer, {
  /** By which its price can be paid, into the business's own account; none: it takes no new subscriptions at a price. */
  providers: z.array(WayToPay),
})
export type PublicOffer = z.infer<typeof PublicOffer>

export const getSubscriptionOffer = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/subscription-offer',
  summary: 'What subscribing to a business costs and brings',
  tag: 'Billing',
  access: 'public',
  params: IdOrSlugParams,
  response: PublicOffer,
})

export const saveSubscriptionOffer = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/subscription-offer',
  summary: 'Set what subscribing costs and brings; a price needs the entitlement `own_prices`. Current subscribers keep their price',
  tag: 'Billing',
  access: 'member',
  words: 'mixed',
  params: IdOrSlugParams,
  body: SubscriptionOffer,
  response: PublicOffer,
})

export const SubscriptionReport = z.object({
  subscriberCount: z.int(),
  payingCount: z.int(),
  /** Per month, of those who pay today. */
  monthlyRevenue: Money,
  /** All of it: no fee is taken. */
  revenueShare: z.literal(100),
  /** The last 12 months, the oldest first. */
  months: z.array(
    z.object({
      /** "2026-11" */
      month: z.string(),
      began: z.int(),
      ended: z.int(),
      subscribers: z.int(),
      revenue: z.string(),
      /** Ended in the month, of those there at its beginning, in percent; null where there were none. */
      churn: z.nullable(z.number()),
    }),
  ),
})
export type SubscriptionReport = z.infer<typeof SubscriptionReport>

export const getSubscriptionReport = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/subscription-report',
  summary: "A business's subscribers, revenue and churn, for its owner and managers; names nobody",
  tag: 'Billing',
  access: 'member',
  params: IdOrSlugParams,
  response: SubscriptionReport,
})

/** Money that came in by invoice: the first of a checkout, or more for what runs. */
export const InvoiceMoney = z.object({
  checkoutId: z.optional(Id),
  agreementId: z.optional(Id),
  amount: Price,
  currency: Currency,
  /** The bank's or the till's own reference; the same one is not recorded twice. */
  reference: line(120, 'Reference is required'),
  months: z._default(z.int().check(z.minimum(1), z.maximum(24)), 1),
})

export const OpenInvoice = z.extend(Checkout, {
  /** The payer's public name. */
  payer: z.string(),
})
export type OpenInvoice = z.infer<typeof OpenInvoice>

export const recordInvoicePayment = endpoint({
  method: 'POST',
  path: '/api/admin/invoice-payments',
  summary: 'Record money that came in by invoice: begins or extends what it pays for',
  tag: 'Billing',
  access: 'admin',
  words: 'office',
  idempotent: true,
  body: InvoiceMoney,
  response: Agreement,
  status: 201,
})

export const noteRefund = endpoint({
  method: 'POST',
  path: '/api/admin/payments/:id/refunds',
  summary: 'Note that a payment was given back, all or part of it, and why',
  tag: 'Billing',
  access: 'admin',
  words: 'office',
  idempotent: true,
  params: IdParams,
  body: z.object({ amount: Price, reason: line(500, 'Say why') }),
  response: Payment,
})

export const listInvoiceCheckouts = endpoint({
  method: 'GET',
  path: '/api/admin/invoice-checkouts',
  summary: 'Purchases that wait for money by invoice, newest first',
  tag: 'Billing',
  access: 'admin',
  paginated: true,
  query: z.object(page),
  response: z.array(OpenInvoice),
})
