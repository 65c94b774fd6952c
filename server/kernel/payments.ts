import type { Currency } from '#contracts/fields.ts'
import type { ChargingProvider, KeysProvider, PaymentProviderName } from '#contracts/payment-providers.ts'

/** A monthly price. `key` identifies it permanently. At the provider, each price is a separate plan. */
export type MonthlyPrice = { key: string; name: string; amountCents: number; currency: Currency }

export type ProviderSubscription = {
  id: string
  planId: string
  /** The ID of the checkout, which the page passed to the provider. */
  customId: string | null
  /** The actual monthly price at the provider, which may differ from the plan's. 0 if the site doesn't offer such a subscription. */
  amountCents: number
  currency: string
  /**
   * - `pending`: not approved by the payer
   * - `approved`: approved by the payer, but not started
   * - `active`: charges every month
   * - `suspended`: charges nothing until someone resumes it, because payments failed or it was paused
   * - `closed`: never charges again
   */
  state: 'pending' | 'approved' | 'active' | 'suspended' | 'closed'
  failedPayments: number
  lastPaidAt: Date | null
  paidUntil: Date | null
}

export type ProviderPayment = {
  id: string
  amountCents: number
  currency: string
  status: 'paid' | 'failed' | 'refunded' | 'partially_refunded'
  /** Null if the provider doesn't report the amount. */
  refundedCents: number | null
  madeAt: Date
}

/** A webhook signed by the provider. It only indicates that something changed. Nothing else in it is trusted. */
export type ProviderMessage = { id: string; type: string; subscriptionId: string | null }

/** The provider didn't respond, or not as expected. Retrying later may help. */
export class ProviderUnavailable extends Error {
  override readonly name: string = 'ProviderUnavailable'
}

/** The provider rejected the keys it was called with. Retrying doesn't help, but other keys may. */
export class ProviderRefused extends ProviderUnavailable {
  override readonly name = 'ProviderRefused'
}

/** The account exists but can't be set up to send webhooks. The message is for its owner. */
export class AccountUnusable extends Error {
  override readonly name = 'AccountUnusable'
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** An external service that charges people monthly. Every call may throw `ProviderUnavailable`. */
export type PaymentProvider = {
  name: ChargingProvider
  /** The business's own account; null for the site's. */
  accountId: string | null
  /** The client ID for the provider's script on the page; null if it has none. */
  clientId: string | null
  /** False for a while after the service failed to respond. */
  isAvailable(): boolean
  /** Finds or creates the plan for a price and returns its ID. Idempotent. */
  ensurePlan(price: MonthlyPrice): Promise<string>
  fetchSubscription(id: string): Promise<ProviderSubscription | null>
  /** IDs of subscriptions to these plans that were created since this time. */
  findSubscriptions(planIds: readonly string[], since: Date): Promise<string[]>
  /** Ends the subscription immediately and permanently. No-op if it has ended or never existed. */
  cancelSubscription(id: string, reason: string): Promise<void>
  /** Stops charging until the subscription is resumed. No-op if it isn't charging. */
  pauseSubscription(id: string, reason: string): Promise<void>
  /** Charges again from the next payment on. No-op if it charges or has ended. */
  resumeSubscription(id: string, reason: string): Promise<void>
  listPayments(id: string, since: Date, until: Date): Promise<ProviderPayment[]>
  /** Null unless the message is a webhook signed by this provider. */
  verifyMessage(headers: Headers, rawBody: Buffer): Promise<ProviderMessage | null>
}

/** The test provider also acts as the payer's bank and queues webhooks to itself. */
export type TestProvider = PaymentProvider & {
  /**
   * Approves as the payer and makes the first payment. Returns the subscription's ID. Repeating an approval changes nothing. By default,
   * each checkout has a single approval.
   */
  approve(planId: string, customId: string, approvalKey?: string): Promise<string>
  refusePayments(subscriptionId: string, refuses: boolean): Promise<void>
  renewDue(): Promise<void>
  waitingMessages(): Promise<{ id: string; headers: Record<string, string>; body: Buffer }[]>
  markDelivered(messageId: string): Promise<void>
}

/** What the content security policy must allow for a provider's own button. */
export type ProviderPage = {
  origins: readonly string[]
  writesStyles: boolean
  /** The button opens a window, which reports to the page that opened it. */
  opensWindow: boolean
}

export type AccountKeys = { clientId: string; clientSecret: string }

/** A provider that can pay into businesses' own accounts. */
export type AccountService = {
  /** Whether payments through these accounts move real money. */
  environment: 'live' | 'sandbox'
  ofAccount(account: AccountKeys & { id: string; webhookId: string }): PaymentProvider
  /**
   * Checks an account's keys and sets up its webhook for `url`. Returns the webhook's ID. Idempotent.
   * @throws ProviderRefused, ProviderUnavailable, AccountUnusable
   */
  openAccount(keys: AccountKeys, url: string): Promise<{ webhookId: string }>
  /** No-op if the account has no such webhook. @throws ProviderUnavailable */
  closeAccount(keys: AccountKeys, webhookId: string): Promise<void>
}

export type Payments = {
  /** For the site's own plans. */
  offered: readonly PaymentProviderName[]
  /** Null for invoices, and if this server isn't configured for the provider. */
  find(name: PaymentProviderName): PaymentProvider | null
  test: TestProvider | null
  /** Whether providers can pay businesses directly, which requires real payments. */
  takesAccounts: boolean
  accountsAt(name: KeysProvider): AccountService
  invoiceInstructions: string | null
}
