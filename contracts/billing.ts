import { entitlements } from './entitlements.ts'
import { Currency, Id, line, Price } from './fields.ts'
import { type ButtonProvider, buttonProviders, paymentProviderNames } from './payment-providers.ts'
import * as z from './zod.ts'

export const PaymentProviderName = z.enum(paymentProviderNames)

const Money = z.object({ amount: z.string(), currency: Currency })

export const WayToPay = z.object({
  name: PaymentProviderName,
  isTest: z.boolean(),
  /** Required by the script of a provider's button; null for other providers. */
  clientId: z.nullable(z.string()),
  /** False while the provider is down; everything else keeps working. */
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
  /** Plain explanations of its features. */
  details: z.array(z.string()),
  /** What to know before paying, if anything. */
  notice: z.nullable(z.string()),
  /** Unlocks something for a business, so the buyer must own one. */
  needsBusiness: z.boolean(),
  entitlements: z.array(z.enum(entitlements)),
})
export type OfferedPlan = z.infer<typeof OfferedPlan>

/**
 * `open` awaits the payer's approval at the provider; `approved` has an `agreementId`; after `refused` or `expired`, start a new one.
 */
export const CheckoutStatus = z.enum(['open', 'approved', 'refused', 'expired'])

/** What a provider's own button creates a subscription from, by provider. */
const ButtonData = z.object({ clientId: z.string(), planId: z.string(), customId: z.string() })
const buttonShape = Object.fromEntries(buttonProviders.map((name) => [name, z.nullable(ButtonData)])) as Record<
  ButtonProvider,
  z.ZodMiniNullable<typeof ButtonData>
>

export const Checkout = z.object({
  id: Id,
  status: CheckoutStatus,
  provider: PaymentProviderName,
  /** "Business Tools for Green Hills Farm", "Subscription to Green Hills Farm". */
  title: z.string(),
  planId: z.nullable(z.string()),
  businessId: z.nullable(Id),
  price: Money,
  ...buttonShape,
  /** Invoice: how to pay. */
  instructions: z.nullable(z.string()),
  agreementId: z.nullable(Id),
  expiresAt: z.iso.datetime(),
})
export type Checkout = z.infer<typeof Checkout>

export const NewCheckout = z.object({
  provider: PaymentProviderName,
  /** The ID of one of our plans. */
  planId: z.optional(line(40)),
  /** The business the plan is for (business plans, and Starter for its menu). If omitted, it is assigned later. */
  businessId: z.optional(z.nullable(Id)),
  /** A subscription to this business at its price, instead of a plan. */
  subscribeTo: z.optional(Id),
  /** The agreement to upgrade or downgrade. */
  replaces: z.optional(Id),
})
export type NewCheckout = z.infer<typeof NewCheckout>

/** Status of a purchase as last reported by the provider. */
export const AgreementStatus = z.enum([
  /** Approved, but the first payment hasn't arrived. Grants nothing yet. */
  'pending',
  'active',
  /** A payment failed; access continues until `graceUntil`. */
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
  /** A personal subscription to the business at its price. */
  isSubscription: z.boolean(),
  price: Money,
  status: AgreementStatus,
  paidUntil: z.nullable(z.iso.datetime()),
  graceUntil: z.nullable(z.iso.datetime()),
  /** Ended here, but the provider couldn't be notified because the business's account rejects us: the payer must cancel it there. */
  mayStillCharge: z.boolean(),
  createdAt: z.iso.datetime(),
  /** For plans that lift one menu's limit: when it can move to another business. Null: now or never. */
  movesOn: z.nullable(z.iso.datetime()),
  /** IDs of plans it can change to. */
  changesTo: z.array(z.string()),
  abilities: z.object({ cancel: z.boolean(), resume: z.boolean(), change: z.boolean(), assign: z.boolean() }),
})
export type Agreement = z.infer<typeof Agreement>

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
  /** URL of a PDF. */
  receiptUrl: z.nullable(z.string()),
})
export type Payment = z.infer<typeof Payment>

export const PlanStatus = z.object({
  plans: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      endsAt: z.nullable(z.iso.datetime()),
    }),
  ),
  entitlements: z.array(z.enum(entitlements)),
  /** End of the grace period after a failed payment or a lost provider. */
  graceUntil: z.nullable(z.iso.datetime()),
})
export type PlanStatus = z.infer<typeof PlanStatus>

export const SubscriptionOffer = z.object({
  /** Null if subscribing is free. */
  price: z.nullable(Price),
  currency: Currency,
  title: line(80),
  perks: z.array(line(120)).check(z.maxLength(8, 'At most 8 lines')),
})
export type SubscriptionOffer = z.infer<typeof SubscriptionOffer>

export const PublicOffer = z.extend(SubscriptionOffer, {
  /** Providers that pay into the business's own account. If empty, it takes no new paid subscriptions. */
  providers: z.array(WayToPay),
})
export type PublicOffer = z.infer<typeof PublicOffer>

export const SubscriptionReport = z.object({
  subscriberCount: z.int(),
  payingCount: z.int(),
  /** From current paying subscribers. */
  monthlyRevenue: Money,
  /** No fee is taken. */
  revenueShare: z.literal(100),
  /** The last 12 months, oldest first. */
  months: z.array(
    z.object({
      /** "2026-11" */
      month: z.string(),
      began: z.int(),
      ended: z.int(),
      subscribers: z.int(),
      revenue: z.string(),
      /** Percentage of the subscribers at the start of the month who left during it; null if there were none. */
      churn: z.nullable(z.number()),
    }),
  ),
})
export type SubscriptionReport = z.infer<typeof SubscriptionReport>

/** A payment by invoice: the first of a checkout, or a further one for an agreement. */
export const InvoiceMoney = z.object({
  checkoutId: z.optional(Id),
  agreementId: z.optional(Id),
  amount: Price,
  currency: Currency,
  /** The bank's or cash register's reference; each can be recorded only once. */
  reference: line(120, 'Reference is required'),
  months: z._default(z.int().check(z.minimum(1), z.maximum(24)), 1),
})

export const OpenInvoice = z.extend(Checkout, {
  /** The payer's public name. */
  payer: z.string(),
})
export type OpenInvoice = z.infer<typeof OpenInvoice>
