import type { Checkout, WayToPay } from '#contracts/billing.ts'
import { ApiError } from '#web/lib/api-error.ts'

/** One of our plans (for a business or for the payer), or a subscription to a business. */
export type Order = {
  planId?: string | undefined
  businessId?: string | null | undefined
  subscribeTo?: string | undefined
  /** The agreement that this one replaces. */
  replaces?: string | undefined
}

/** A completed purchase. `subscriptionID` is the provider's. */
export type Bought = { agreementId: string; subscriptionID: string; isActive: boolean }

/**
 * State of a purchase.
 * - `ready`: showing the provider's button
 * - `approving`: the payer is at the provider (in test mode: at its window)
 * - `confirming`: the server is asking the provider
 * - `unsure`: the response was lost; check the checkout before doing anything else
 * - `over`: not bought; `message` says why
 */
export type PurchaseStep =
  | { name: 'ready' }
  | { name: 'beginning' }
  | { name: 'approving'; checkout: Checkout }
  | { name: 'instructions'; checkout: Checkout }
  | { name: 'confirming'; checkoutId: string; subscriptionID: string | null }
  | { name: 'unsure'; checkoutId: string; subscriptionID: string | null; message: string }
  | { name: 'over'; reason: 'refused' | 'expired' | 'failed'; message: string }
  | { name: 'approved'; bought: Bought }

export const overWords = {
  refused: 'You didn’t approve it. Nothing was charged.',
  expired: 'It wasn’t approved in time. Nothing was charged. Start again.',
} as const

export function approvedToast({ subscribeTo }: Order, { subscriptionID, isActive }: Bought): { title: string; description?: string } {
  if (!isActive) return { title: 'Subscription approved', description: 'It starts when the first payment arrives.' }
  if (subscribeTo) return { title: 'Subscribed!' }
  return { title: 'Subscription Activated!', description: `Subscription ID: ${subscriptionID}` }
}

/** A client error is definite. Without a response, or after a provider timeout, the purchase may have gone through. */
export function isUnsure(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429
  // fetch rejects with a TypeError if there is no response.
  return error instanceof TypeError
}

/** Whether the checkout can still be approved. An expired one can't, even if its last known status is open. */
export function isOpen({ status, expiresAt }: Pick<Checkout, 'status' | 'expiresAt'>, now: number): boolean {
  return status === 'open' && Date.parse(expiresAt) > now
}

/** Storage key of a purchase in progress, so that a reload doesn't lead to a second one. */
export function orderName(userId: string, { planId, businessId, subscribeTo, replaces }: Order): string {
  return ['purchase', userId, planId ?? '', businessId ?? '', subscribeTo ?? '', replaces ?? ''].join('.')
}

/** Stored state of a purchase that the provider may have approved. */
export type Unsettled = { checkoutId: string; subscriptionID: string | null }

/** Validates the stored value, since people can edit storage. */
export function readUnsettled(value: unknown): Unsettled | null {
  if (typeof value !== 'object' || value === null) return null
  const { checkoutId, subscriptionID } = value as Record<string, unknown>
  if (typeof checkoutId !== 'string') return null
  return { checkoutId, subscriptionID: typeof subscriptionID === 'string' ? subscriptionID : null }
}

/** Payment methods, available ones first. */
export const byAnswering = (providers: readonly WayToPay[]): WayToPay[] =>
  providers.toSorted((a, b) => Number(b.isAvailable) - Number(a.isAvailable))

/** Style of a payment button. The specification has two, both vertical with the label "subscribe". */
export type ProviderLook = { shape: 'pill' | 'rect'; color: 'blue' | 'gold' }

const pillAndBlue: ProviderLook = { shape: 'pill', color: 'blue' }
const rectAndGold: ProviderLook = { shape: 'rect', color: 'gold' }

/** Verified: pill and blue. Pro Partner and everything else: rect and gold. */
export const lookOf = (planId: string | undefined): ProviderLook => (planId === 'verified' ? pillAndBlue : rectAndGold)

/** The same style for our own button, for providers without one. */
export const buttonLook = ({ shape, color }: ProviderLook) => ({
  variant: color,
  className: shape === 'pill' ? 'w-full rounded-full!' : 'w-full',
})
