import type { PaymentProviderName } from '../../contracts/billing.ts'
import type { Currency } from '../../contracts/money.ts'

/** What is paid for once a month. `key` names it the same for good; another price is another plan at the provider. */
export type MonthlyPrice = { key: string; name: string; amountCents: number; currency: Currency }

/** A subscription as the provider knows it at this moment. */
export type ProviderSubscription = {
  id: string
  planId: string
  /** What the page gave the provider to hand back: the id of our checkout. */
  customId: string | null
  /** What it costs a month there, whatever the plan says. */
  amountCents: number
  currency: string
  /**
   * - `pending`: not approved, or not begun
   * - `active`: it charges every month
   * - `suspended`: it charges no more until someone acts: payments failed, or we paused it
   * - `closed`: it never charges again
   */
  state: 'pending' | 'active' | 'suspended' | 'closed'
  /** Payments that failed since the last one that did not. */
  failedPayments: number
  lastPaidAt: Date | null
  /** The end of the period that the last payment was for. */
  paidUntil: Date | null
}

export type ProviderPayment = {
  id: string
  amountCents: number
  currency: string
  status: 'paid' | 'failed' | 'refunded' | 'partially_refunded'
  /** Null where the provider does not say how much of it. */
  refundedCents: number | null
  madeAt: Date
}

/** A message that is signed by the provider. It says that something changed, and nothing of it is believed but that. */
export type ProviderMessage = { id: string; type: string; subscriptionId: string | null }

/** The provider did not answer, or not with what it should. Trying again later may help. */
export class ProviderUnavailable extends Error {
  override readonly name: string = 'ProviderUnavailable'
}

/** It answered that our keys do not open the account: trying again does not help, other keys do. */
export class ProviderRefused extends ProviderUnavailable {
  override readonly name = 'ProviderRefused'
}

/** Its account exists, but cannot be made to send us messages. The message is a sentence for its owner. */
export class AccountUnusable extends Error {
  override readonly name = 'AccountUnusable'
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Somebody else's service that charges people every month. Every call may throw `ProviderUnavailable`. */
export type PaymentProvider = {
  name: PaymentProviderName
  /** A business's own account with it; null for the site's. */
  accountId: string | null
  /** What its script in the page needs; null where there is none. */
  clientId: string | null
  /** False for a while after it did not answer. */
  isAvailable(): boolean
  /** Makes the provider know a price; its id there. The same one for the same price, however often it is asked. */
  ensurePlan(price: MonthlyPrice): Promise<string>
  /** Null when it knows none of this id. */
  fetchSubscription(id: string): Promise<ProviderSubscription | null>
  /** The ids of those that were made to these plans since then. */
  findSubscriptions(planIds: readonly string[], since: Date): Promise<string[]>
  /** Ends it at once and for good; what has ended already, or never was, stays so without an error. */
  cancelSubscription(id: string, reason: string): Promise<void>
  /** It charges nothing until it's resumed; one that doesn't charge stays as it is. */
  pauseSubscription(id: string, reason: string): Promise<void>
  /** It charges again from its next payment on; one that charges, or has ended, stays as it is. */
  resumeSubscription(id: string, reason: string): Promise<void>
  listPayments(id: string, since: Date, until: Date): Promise<ProviderPayment[]>
  /** Null for everything that this provider did not sign, or that is no message. */
  verifyMessage(headers: Headers, rawBody: Buffer): Promise<ProviderMessage | null>
}

/** What only the test provider can do: it plays the payer's bank, and delivers its own messages. */
export type TestProvider = PaymentProvider & {
  /** The payer says yes in the provider's window: the first payment is made. The subscription's id. */
  approve(planId: string, customId: string): Promise<string>
  /** From now on payments fail, or work again. */
  refusePayments(subscriptionId: string, refuses: boolean): Promise<void>
  /** Makes the payments that are due. */
  renewDue(): Promise<void>
  /** Messages that were not taken yet, as they would be sent. */
  waitingMessages(): Promise<{ id: string; headers: Record<string, string>; body: Buffer }[]>
  markDelivered(messageId: string): Promise<void>
}

export type AccountKeys = { clientId: string; clientSecret: string }

export type Payments = {
  /** By which money can come in here. */
  offered: readonly PaymentProviderName[]
  /** The service of that name, where this server may talk to one; none for invoices. */
  find(name: PaymentProviderName): PaymentProvider | null
  test: TestProvider | null
  /** Whether businesses can be paid into accounts of their own: where money is real. */
  takesAccounts: boolean
  /** PayPal, by a business's own account. */
  ofAccount(account: AccountKeys & { id: string; webhookId: string }): PaymentProvider
  /**
   * Makes sure that the keys open an account, and that its messages come to `url`; answers the webhook's id. The same one, however
   * often it is asked. @throws ProviderRefused, ProviderUnavailable, AccountUnusable
   */
  openAccount(keys: AccountKeys, url: string): Promise<{ webhookId: string }>
  /** Messages come no more. What is not there is no error. @throws ProviderUnavailable */
  closeAccount(keys: AccountKeys, webhookId: string): Promise<void>
  /** How to pay by invoice, in words. */
  invoiceInstructions: string | null
}
