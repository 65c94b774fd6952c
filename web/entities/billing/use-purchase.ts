import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Agreement, Checkout, WayToPay } from '#contracts/billing.ts'
import { answerTestCheckout, approveCheckout, beginCheckout, getCheckout } from '#contracts/calls/billing.ts'
import { type ButtonProvider, chargesItself, type PaymentProviderName } from '#contracts/payment-providers.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { forget, recall, remember } from '#web/forms/tab-memory.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { toast } from '#web/ui/toast-store.ts'
import { findAgreement, refreshBilling } from './billing.api.ts'

/**
 * One purchase, from the provider's button to the result. The server trusts only the provider, so these steps can be repeated,
 * abandoned and resumed. If it is unclear whether the provider approved, checks the checkout before anything else, so that nothing
 * is bought twice.
 *
 * @param onApproved is called once, after everything that depends on plans has been refetched
 */
export function usePurchase(order: Order, onApproved: (bought: Bought) => void) {
  const client = useQueryClient()
  const user = useCurrentUser()
  const name = orderName(user?.id ?? '', order)
  const [step, setStep] = useState<PurchaseStep>({ name: 'ready' })

  const over = (reason: 'refused' | 'expired' | 'failed', message: string) => {
    forget(name)
    setStep({ name: 'over', reason, message })
  }
  const overForGood = (reason: 'refused' | 'expired' | 'failed', message: string) => {
    dropCreationKey(name)
    over(reason, message)
  }

  /** @throws ApiError, TypeError as `call` does */
  async function begin(provider: PaymentProviderName): Promise<Checkout> {
    const { planId, businessId, subscribeTo, replaces } = order
    const body = { provider, planId, businessId, subscribeTo, replaces }
    const send = () => call(beginCheckout, { body }, { idempotencyKey: creationKey(name, body) })
    const checkout = await send()
    if (isOpen(checkout, Date.now()) || checkout.status === 'approved') return checkout
    // The idempotency key returned the first checkout, which has expired.
    dropCreationKey(name)
    return send()
  }

  async function done(agreementId: string, subscriptionID: string | null, status: Agreement['status'] | undefined) {
    forget(name)
    dropCreationKey(name)
    const bought = { agreementId, subscriptionID: subscriptionID ?? agreementId, isActive: status !== 'pending' }
    await refreshBilling(client)
    toast(approvedToast(order, bought))
    setStep({ name: 'approved', bought })
    onApproved(bought)
  }

  async function confirm(checkoutId: string, subscriptionID: string) {
    remember(name, { checkoutId, subscriptionID })
    setStep({ name: 'confirming', checkoutId, subscriptionID })
    try {
      const agreement = await call(approveCheckout, { params: { id: checkoutId }, body: { subscriptionID } })
      await done(agreement.id, subscriptionID, agreement.status)
    } catch (error) {
      fail(error, checkoutId, subscriptionID)
    }
  }

  function fail(error: unknown, checkoutId: string, subscriptionID: string | null) {
    console.error(error)
    if (isUnsure(error)) setStep({ name: 'unsure', checkoutId, subscriptionID, message: messageOf(error) })
    else overForGood('failed', messageOf(error))
  }

  /** After a lost response, the checkout's status decides what comes next. */
  async function settle(checkoutId: string, subscriptionID: string | null) {
    setStep({ name: 'confirming', checkoutId, subscriptionID })
    try {
      const checkout = await call(getCheckout, { params: { id: checkoutId } })
      if (checkout.status === 'approved' && checkout.agreementId) {
        const agreement = await findAgreement({}, ({ id }) => id === checkout.agreementId)
        return await done(checkout.agreementId, subscriptionID, agreement?.status)
      }
      // The provider approved, but the server doesn't know yet.
      if (checkout.status === 'open' && subscriptionID) return await confirm(checkoutId, subscriptionID)
      forget(name)
      if (isOpen(checkout, Date.now())) setStep({ name: 'approving', checkout })
      else if (checkout.status === 'refused') overForGood('refused', overWords.refused)
      else overForGood('expired', overWords.expired)
    } catch (error) {
      fail(error, checkoutId, subscriptionID)
    }
  }

  // Resume a purchase interrupted by a reload.
  const takenUp = useRef('')
  useEffect(() => {
    if (takenUp.current === name) return
    takenUp.current = name
    const unsettled = readUnsettled(recall(name))
    if (unsettled) void settle(unsettled.checkoutId, unsettled.subscriptionID)
    else setStep({ name: 'ready' })
  })

  return {
    step,
    async start(provider: PaymentProviderName) {
      setStep({ name: 'beginning' })
      try {
        const checkout = await begin(provider)
        if (checkout.status === 'approved') return await settle(checkout.id, null)
        setStep(chargesItself(provider) ? { name: 'approving', checkout } : { name: 'instructions', checkout })
      } catch (error) {
        console.error(error)
        over('failed', messageOf(error))
      }
    },
    /** The provider's own button was pressed. Returns what the button needs to create the subscription. @throws if there is no checkout */
    async beginAt(provider: ButtonProvider) {
      const checkout = await begin(provider)
      const data = checkout[provider]
      if (!data) throw new Error('The checkout is missing what the button needs.')
      // If the page closes while the provider's window is open, the checkout's status shows what happened.
      remember(name, { checkoutId: checkout.id, subscriptionID: null })
      return { checkoutId: checkout.id, ...data }
    },
    confirm,
    settle,
    async answer(checkout: Checkout, outcome: 'approve' | 'refuse') {
      remember(name, { checkoutId: checkout.id, subscriptionID: null })
      setStep({ name: 'confirming', checkoutId: checkout.id, subscriptionID: null })
      try {
        const { subscriptionID } = await call(answerTestCheckout, { params: { id: checkout.id }, body: { outcome } })
        if (subscriptionID) await confirm(checkout.id, subscriptionID)
        else overForGood('refused', overWords.refused)
      } catch (error) {
        fail(error, checkout.id, null)
      }
    },
    /** The provider's window was closed. Its checkout stays open for the next attempt. */
    refuse: () => over('refused', overWords.refused),
    failed: (error: unknown) => {
      console.error(error)
      over('failed', messageOf(error, 'The payment provider couldn’t be opened. Nothing was charged. Try again later.'))
    },
    again: () => setStep({ name: 'ready' }),
  }
}

export type Purchase = ReturnType<typeof usePurchase>

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
type PurchaseStep =
  | { name: 'ready' }
  | { name: 'beginning' }
  | { name: 'approving'; checkout: Checkout }
  | { name: 'instructions'; checkout: Checkout }
  | { name: 'confirming'; checkoutId: string; subscriptionID: string | null }
  | { name: 'unsure'; checkoutId: string; subscriptionID: string | null; message: string }
  | { name: 'over'; reason: 'refused' | 'expired' | 'failed'; message: string }
  | { name: 'approved'; bought: Bought }

const overWords = {
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
type Unsettled = { checkoutId: string; subscriptionID: string | null }

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

/** The provider's style for our own button, for providers that don't offer one. */
export const buttonLook = ({ shape, color }: ProviderLook) => ({
  variant: color,
  className: shape === 'pill' ? 'w-full rounded-full!' : 'w-full',
})
