import type { Currency } from '#contracts/fields.ts'
import type { ChargingProvider, KeysProvider, PaymentProviderName } from '#contracts/payment-providers.ts'

/** A monthly price. `key` identifies it permanently; another price is another plan at the provider. */
export type MonthlyPrice = { key: string; name: string; amountCents: number; currency: Currency }

export type ProviderSubscription = {
  id: string
  planId: string
  /** Our checkout's ID, which the page passed to the provider. */
  customId: string | null
  /** The actual monthly price there, whatever the plan's. */
  amountCents: number
  currency: string
  /**
   * - `pending`: not approved or not started
   * - `active`: charges every month
   * - `suspended`: charges nothing until someone acts, because payments failed or we paused it
   * - `closed`: never charges again
   */
  state: 'pending' | 'active' | 'suspended' | 'closed'
  /** Failed payments since the last successful one. */
  failedPayments: number
  lastPaidAt: Date | null
  /** The end of the last paid period. */
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

/** A webhook signed by the provider. It only indicates that something changed; nothing else in it is trusted. */
export type ProviderMessage = { id: string; type: string; subscriptionId: string | null }

/** The provider didn't respond, or not as expected. Retrying later may help. */
export class ProviderUnavailable extends Error {
  override readonly name: string = 'ProviderUnavailable'
}

/** The provider rejected our keys. Retrying doesn't help; other keys may. */
export class ProviderRefused extends ProviderUnavailable {
  override readonly name = 'ProviderRefused'
}

/** The account exists but can't be set up to send us webhooks. The message is for its owner. */
export class AccountUnusable extends Error {
  override readonly name = 'AccountUnusable'
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** An external service that charges people monthly. Every call may throw `ProviderUnavailable`. */
export type PaymentProvider = {
  name: ChargingProvider
  /** The business's own account; null for the site's. */
  accountId: string | null
  /** The client ID for the provider's script in the page; null if it has none. */
  clientId: string | null
  /** False for a while after it failed to respond. */
  isAvailable(): boolean
  /** Finds or creates the plan for a price and returns its ID. Idempotent. */
  ensurePlan(price: MonthlyPrice): Promise<string>
  /** Null if the provider doesn't know the ID. */
  fetchSubscription(id: string): Promise<ProviderSubscription | null>
  /** IDs of subscriptions to these plans created since then. */
  findSubscriptions(planIds: readonly string[], since: Date): Promise<string[]>
  /** Ends it immediately and permanently. No-op if it has ended or never existed. */
  cancelSubscription(id: string, reason: string): Promise<void>
  /** Charges nothing until it's resumed. No-op if it doesn't charge. */
  pauseSubscription(id: string, reason: string): Promise<void>
  /** Charges again from the next payment on. No-op if it charges or has ended. */
  resumeSubscription(id: string, reason: string): Promise<void>
  listPayments(id: string, since: Date, until: Date): Promise<ProviderPayment[]>
  /** Null unless it is a webhook signed by this provider. */
  verifyMessage(headers: Headers, rawBody: Buffer): Promise<ProviderMessage | null>
}

/** The test provider also acts as the payer's bank and delivers its own webhooks. */
export type TestProvider = PaymentProvider & {
  /** The payer approves, and the first payment is made. Returns the subscription's ID. */
  approve(planId: string, customId: string): Promise<string>
  refusePayments(subscriptionId: string, refuses: boolean): Promise<void>
  renewDue(): Promise<void>
  waitingMessages(): Promise<{ id: string; headers: Record<string, string>; body: Buffer }[]>
  markDelivered(messageId: string): Promise<void>
}

/** What pages must allow for a provider's own button. */
export type ProviderPage = {
  /** The origins of its scripts, frames, pictures and calls. */
  origins: readonly string[]
  /** Its script writes styles into the page. */
  writesStyles: boolean
  /** Its window reports to the page that opened it. */
  opensWindow: boolean
}

export type AccountKeys = { clientId: string; clientSecret: string }

/** A provider with businesses' own accounts. */
export type AccountService = {
  /** Whether payments through these accounts move real money. */
  environment: 'live' | 'sandbox'
  ofAccount(account: AccountKeys & { id: string; webhookId: string }): PaymentProvider
  /**
   * Checks the keys of an account and sets up its webhook for `url`; returns the webhook's ID. Idempotent.
   * @throws ProviderRefused, ProviderUnavailable, AccountUnusable
   */
  openAccount(keys: AccountKeys, url: string): Promise<{ webhookId: string }>
  /** Removes the webhook. No-op if there is none. @throws ProviderUnavailable */
  closeAccount(keys: AccountKeys, webhookId: string): Promise<void>
}

export type Payments = {
  /** The providers offered for the site's own plans. */
  offered: readonly PaymentProviderName[]
  /** Null if this server isn't configured for it, and for invoices. */
  find(name: PaymentProviderName): PaymentProvider | null
  test: TestProvider | null
  /** Whether businesses can be paid into their own accounts, which requires real payments. */
  takesAccounts: boolean
  accountsAt(name: KeysProvider): AccountService
  /** How to pay by invoice, for people to read. */
  invoiceInstructions: string | null
}
