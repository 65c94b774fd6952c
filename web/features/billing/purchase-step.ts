import type { Checkout, WayToPay } from '../../../contracts/billing.ts'
import { ApiError } from '../../lib/api-error.ts'

/** What is bought: one of our plans (for a business, or for the payer), or a subscription to a business. */
export type Order = {
  planId?: string | undefined
  businessId?: string | null | undefined
  subscribeTo?: string | undefined
  /** The agreement that this one takes the place of. */
  replaces?: string | undefined
}

/** What came out of a purchase. `subscriptionID` is the provider's. */
export type Bought = { agreementId: string; subscriptionID: string; isActive: boolean }

/**
 * Where a purchase stands.
 * - `ready`: the provider's button waits
 * - `approving`: the payer is at the provider (in test mode: before its window)
 * - `confirming`: the server asks the provider
 * - `unsure`: no answer came; whether it was bought must be asked before anything else is done
 * - `over`: it came to nothing, and `message` says why
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

/** The words for the ends that are nobody's fault. */
export const overWords = {
  refused: 'You didn’t approve it. Nothing was charged.',
  expired: 'It wasn’t approved in time. Nothing was charged. Start again.',
} as const

/** What is said when it is done. */
export function approvedToast({ subscribeTo }: Order, { subscriptionID, isActive }: Bought): { title: string; description?: string } {
  if (!isActive) return { title: 'Subscription approved', description: 'It starts when the first payment arrives.' }
  if (subscribeTo) return { title: 'Subscribed!' }
  return { title: 'Subscription Activated!', description: `Subscription ID: ${subscriptionID}` }
}

/** A refusal is an answer. Without one, or with the provider's silence in between, the purchase may have gone through. */
export function isUnsure(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429
  // fetch rejects with a TypeError when no answer came.
  return error instanceof TypeError
}

/** An open checkout can still be approved; one whose time is over cannot, whatever its status said when it was read. */
export function isOpen({ status, expiresAt }: Pick<Checkout, 'status' | 'expiresAt'>, now: number): boolean {
  return status === 'open' && Date.parse(expiresAt) > now
}

/** The name under which a purchase is remembered in the tab, so that a reload in the middle of it does not lead to a second one. */
export function orderName(userId: string, { planId, businessId, subscribeTo, replaces }: Order): string {
  return ['purchase', userId, planId ?? '', businessId ?? '', subscribeTo ?? '', replaces ?? ''].join('.')
}

/** What the tab remembers of a purchase that the provider may have approved already. */
export type Unsettled = { checkoutId: string; subscriptionID: string | null }

/** Storage can hold anything: people can edit it. */
export function readUnsettled(value: unknown): Unsettled | null {
  if (typeof value !== 'object' || value === null) return null
  const { checkoutId, subscriptionID } = value as Record<string, unknown>
  if (typeof checkoutId !== 'string') return null
  return { checkoutId, subscriptionID: typeof subscriptionID === 'string' ? subscriptionID : null }
}

/** The ways to pay, the one to offer first at the front: one that answers. */
export const byAnswering = (providers: readonly WayToPay[]): WayToPay[] =>
  providers.toSorted((a, b) => Number(b.isAvailable) - Number(a.isAvailable))
