import { entitlements } from './entitlements.ts'
import { Currency, Id, line, Price } from './fields.ts'
import { type ButtonProvider, buttonProviders, paymentProviderNames, takesAccounts } from './payment-providers.ts'
import * as z from './zod.ts'

export const PaymentProviderName = z.enum(paymentProviderNames)

const Money = z.object({ amount: z.string(), currency: Currency })

export const WayToPay = z.object({
  name: PaymentProviderName,
  isTest: z.boolean(),
  /** Needed by the provider's button script. Null if the provider has no button. */
  clientId: z.nullable(z.string()),
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
  details: z.array(z.string()),
  notice: z.nullable(z.string()),
  /** The plan unlocks something for a business, so the buyer must own one. */
  needsBusiness: z.boolean(),
  entitlements: z.array(z.enum(entitlements)),
})
export type OfferedPlan = z.infer<typeof OfferedPlan>

/**
 * `open` awaits the payer's approval at the provider. `approved` has an `agreementId`. After `refused` or `expired`, start a new checkout.
 */
export const CheckoutStatus = z.enum(['open', 'approved', 'refused', 'expired'])

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
  /** How to pay the invoice. Null for other providers. */
  instructions: z.nullable(z.string()),
  agreementId: z.nullable(Id),
  expiresAt: z.iso.datetime(),
})
export type Checkout = z.infer<typeof Checkout>

export const NewCheckout = z.object({
  provider: PaymentProviderName,
  planId: z.optional(line(40)),
  /** The business that the plan is for, or whose menu Starter unlocks. If omitted, it can be chosen later. */
  businessId: z.optional(z.nullable(Id)),
  /** Subscribes to this business at its price instead of buying a plan. */
  subscribeTo: z.optional(Id),
  /** The agreement to upgrade or downgrade. */
  replaces: z.optional(Id),
  /** The monthly price that the person was shown. If it has changed, the checkout is refused. */
  price: z.optional(z.object({ amount: Price, currency: Currency })),
})
export type NewCheckout = z.infer<typeof NewCheckout>

/** Follows the provider's reports, but cancellations here and the end of the grace period take effect without a report. */
export const AgreementStatus = z.enum([
  /** Approved, but the first payment hasn't arrived. Grants nothing yet. */
  'pending',
  'active',
  /** A payment failed, or an invoice is unpaid; access continues until `graceUntil`. */
  'past_due',
  /** Remains in effect until the paid period ends. */
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
  isSubscription: z.boolean(),
  price: Money,
  status: AgreementStatus,
  paidUntil: z.nullable(z.iso.datetime()),
  graceUntil: z.nullable(z.iso.datetime()),
  /** Canceling here can't stop the payments, because this server has no working keys for the provider. The payer must also cancel there. */
  mayStillCharge: z.boolean(),
  createdAt: z.iso.datetime(),
  /** When a plan that lifts one menu's limit can move to another business. Null if it can move now or can never move. */
  movesOn: z.nullable(z.iso.datetime()),
  /** Plan IDs. */
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
  /** Set after a failed payment or while the provider doesn't respond. */
  graceUntil: z.nullable(z.iso.datetime()),
})
export type PlanStatus = z.infer<typeof PlanStatus>

export const SubscriptionOffer = z.object({
  price: z.nullable(Price),
  currency: Currency,
  title: line(80),
  perks: z.array(line(120)).check(z.maxLength(8, 'At most 8 lines')),
})
export type SubscriptionOffer = z.infer<typeof SubscriptionOffer>

export const PublicOffer = z.extend(SubscriptionOffer, {
  /** Providers that pay into the business's own account. If the list is empty, no one can start a paid subscription. */
  providers: z.array(WayToPay),
})
export type PublicOffer = z.infer<typeof PublicOffer>

export const SubscriptionReport = z.object({
  subscriberCount: z.int(),
  payingCount: z.int(),
  monthlyRevenue: Money,
  /** The site takes no fee. */
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
      /** The percentage of the month's subscribers, including new ones, who left during the month. Null if there were no subscribers. */
      churn: z.nullable(z.number()),
    }),
  ),
})
export type SubscriptionReport = z.infer<typeof SubscriptionReport>

/** A payment of a business's own invoice, as its owner sees it. */
export const ReceivedPayment = z.extend(Payment, {
  /** The purchase's price per month. `money` may cover several months. */
  price: Money,
  reference: z.string(),
  /** Null after the payer deleted their account. */
  payer: z.nullable(z.string()),
})
export type ReceivedPayment = z.infer<typeof ReceivedPayment>

export const Refund = z.object({ amount: Price, reason: line(500, 'Enter a reason') })
export type Refund = z.infer<typeof Refund>

/** An invoice payment: the first for a checkout or the next for an agreement. */
export const InvoiceMoney = z.object({
  checkoutId: z.optional(Id),
  /** The agreement's ID, or the ID of the checkout that led to it, because payers may use either as their reference. */
  agreementId: z.optional(Id),
  amount: Price,
  currency: Currency,
  /** The bank's or cash register's reference. It can be recorded only once. */
  reference: line(120, 'Reference is required'),
  months: z._default(z.int().check(z.minimum(1), z.maximum(24)), 1),
})

export const OpenInvoice = z.extend(Checkout, {
  /** The payer's public name. */
  payer: z.string(),
})
export type OpenInvoice = z.infer<typeof OpenInvoice>

export const AccountProvider = z.enum(paymentProviderNames.filter(takesAccounts))

/**
 * - `working`
 * - `silent`: PayPal didn't respond to the last request
 * - `refused`: PayPal rejects the keys
 * - `unreadable`: the stored key can't be decrypted, because the server's secret was changed
 * - `former_owner`: connected by someone who no longer owns the business
 *
 * In the last three states, no one can buy until the account is reconnected.
 */
export const AccountState = z.enum(['working', 'silent', 'refused', 'unreadable', 'former_owner'])
export type AccountState = z.infer<typeof AccountState>

export const PaymentAccounts = z.object({
  /** False in test mode, where no money moves. */
  isOffered: z.boolean(),
  /** Needs a plan with custom prices. Without one, a connected account can still be replaced, edited or disconnected. */
  mayConnect: z.boolean(),
  paypal: z.nullable(
    z.object({
      /** The last characters of the client ID. The secret is never returned. */
      endsIn: z.string(),
      environment: z.enum(['live', 'sandbox']),
      state: AccountState,
      failingSince: z.nullable(z.iso.datetime()),
      connectedAt: z.iso.datetime(),
      checkedAt: z.nullable(z.iso.datetime()),
      payingCount: z.int(),
    }),
  ),
  invoice: z.nullable(z.object({ instructions: z.string(), state: AccountState, payingCount: z.int() })),
  /** Disconnected accounts that existing subscribers still pay into. */
  former: z.array(
    z.object({ provider: AccountProvider, endsIn: z.nullable(z.string()), retiredAt: z.iso.datetime(), payingCount: z.int() }),
  ),
})
export type PaymentAccounts = z.infer<typeof PaymentAccounts>

/** From a REST app in PayPal's dashboard. */
export const PayPalKeys = z.object({
  clientId: z
    .string('Client ID is required')
    .check(z.trim(), z.minLength(1, 'Client ID is required'), z.regex(/^[\w-]{16,200}$/, 'This isn’t the client ID of a PayPal REST app')),
  clientSecret: z
    .string('Secret is required')
    .check(z.trim(), z.minLength(1, 'Secret is required'), z.regex(/^[\x21-\x7e]{8,300}$/, 'This isn’t the secret of a PayPal REST app')),
})
export type PayPalKeys = z.infer<typeof PayPalKeys>

export const OwnInvoice = z.object({ instructions: line(1000, 'Explain how to pay') })
