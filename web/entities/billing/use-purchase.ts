import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Agreement, Checkout, WayToPay } from '#contracts/billing.ts'
import { answerTestCheckout, approveCheckout, beginCheckout, getCheckout } from '#contracts/calls/billing.ts'
import { type ButtonProvider, chargesItself, type PaymentProviderName } from '#contracts/payment-providers.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { toast } from '#web/ui/toast-store.ts'
import { findAgreement, refreshBilling, refreshOffers } from './billing.api.ts'

/**
 * One purchase, from the provider's button to the result. The server trusts only the provider, so steps can be repeated, abandoned and
 * resumed. If the provider may have approved the purchase, checks the checkout before anything else, so no one pays twice.
 *
 * @param onApproved called once, after refreshing everything that depends on plans
 */
export function usePurchase(order: Order, onApproved: (bought: PurchaseResult) => void) {
  const client = useQueryClient()
  const user = useCurrentUser()
  const name = orderName(user?.id ?? '', order)
  const [step, setStep] = useState<PurchaseStep>({ name: 'ready' })

  const over = (reason: 'refused' | 'expired' | 'failed', message: string) => {
    removeTabItem(name)
    setStep({ name: 'over', reason, message })
  }
  const overForGood = (reason: 'refused' | 'expired' | 'failed', message: string) => {
    dropCreationKey(name)
    over(reason, message)
  }

  /** @throws ApiError, TypeError like `call` */
  async function begin(provider: PaymentProviderName): Promise<Checkout> {
    const { planId, businessId, subscribeTo, replaces, price } = order
    const body = { provider, planId, businessId, subscribeTo, replaces, price }
    const send = async () => {
      try {
        return await call(beginCheckout, { body }, { idempotencyKey: creationKey(name, body) })
      } catch (error) {
        // The offer may have changed, for example its price.
        if (error instanceof ApiError && error.code === 'conflict') void refreshOffers(client)
        throw error
      }
    }
    const checkout = await send()
    if (isOpen(checkout, Date.now()) || checkout.status === 'approved') return checkout
    // For this idempotency key, the server returned the first checkout, which is no longer open, so use a new key.
    dropCreationKey(name)
    return send()
  }

  async function done(agreementId: string, subscriptionID: string | null, status: Agreement['status'] | undefined) {
    removeTabItem(name)
    dropCreationKey(name)
    const bought = { agreementId, subscriptionID: subscriptionID ?? agreementId, isActive: status !== 'pending' }
    await refreshBilling(client)
    toast(approvedToast(order, bought))
    setStep({ name: 'approved', bought })
    onApproved(bought)
  }

  async function confirm(checkoutId: string, subscriptionID: string) {
    setTabItem(name, { checkoutId, subscriptionID })
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
    if (isOutcomeUnknown(error)) setStep({ name: 'unsure', checkoutId, subscriptionID, message: messageOf(error) })
    else overForGood('failed', messageOf(error))
  }

  /** Call after a lost response, because the provider may have approved the purchase. */
  async function settle(checkoutId: string, subscriptionID: string | null) {
    setStep({ name: 'confirming', checkoutId, subscriptionID })
    try {
      const checkout = await call(getCheckout, { params: { id: checkoutId } })
      if (checkout.status === 'approved' && checkout.agreementId) {
        const agreement = await findAgreement({}, ({ id }) => id === checkout.agreementId)
        return await done(checkout.agreementId, subscriptionID, agreement?.status)
      }
      if (checkout.status === 'open' && subscriptionID) return await confirm(checkoutId, subscriptionID)
      removeTabItem(name)
      if (isOpen(checkout, Date.now())) setStep({ name: 'approving', checkout })
      else if (checkout.status === 'refused') overForGood('refused', overWords.refused)
      else overForGood('expired', overWords.expired)
    } catch (error) {
      fail(error, checkoutId, subscriptionID)
    }
  }

  const takenUp = useRef('')
  useEffect(() => {
    if (takenUp.current === name) return
    takenUp.current = name
    const unsettled = readUnsettled(getTabItem(name))
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
    /**
     * Call when someone presses the provider's own button. Returns what the button needs to create the subscription.
     * @throws if there is no checkout
     */
    async beginAt(provider: ButtonProvider) {
      const checkout = await begin(provider)
      const data = checkout[provider]
      if (!data) throw new Error('The checkout has no data for the provider’s button.')
      // If the page closes while the provider's window is open, the checkout's status shows what happened.
      setTabItem(name, { checkoutId: checkout.id, subscriptionID: null })
      return { checkoutId: checkout.id, ...data }
    },
    confirm,
    settle,
    async answer(checkout: Checkout, outcome: 'approve' | 'refuse') {
      setTabItem(name, { checkoutId: checkout.id, subscriptionID: null })
      setStep({ name: 'confirming', checkoutId: checkout.id, subscriptionID: null })
      try {
        const { subscriptionID } = await call(answerTestCheckout, { params: { id: checkout.id }, body: { outcome } })
        if (subscriptionID) await confirm(checkout.id, subscriptionID)
        else overForGood('refused', overWords.refused)
      } catch (error) {
        fail(error, checkout.id, null)
      }
    },
    /** Call when the payer cancels in the provider's window. The checkout remains open for another attempt. */
    refuse: () => over('refused', overWords.refused),
    failed: (error: unknown) => {
      console.error(error)
      over('failed', messageOf(error, 'The payment provider couldn’t be opened. Nothing was charged. Try again later.'))
    },
    again: () => setStep({ name: 'ready' }),
  }
}

export type Purchase = ReturnType<typeof usePurchase>

export type Order = {
  planId?: string | undefined
  businessId?: string | null | undefined
  subscribeTo?: string | undefined
  replaces?: string | undefined
  /** The price shown to the person. The server refuses the purchase if the price has changed since. */
  price: Checkout['price']
}

export type PurchaseResult = { agreementId: string; subscriptionID: string; isActive: boolean }

/**
 * - `ready`: showing the provider's button
 * - `approving`: the payer is at the provider (in test mode, at its window)
 * - `confirming`: the server is checking with the provider
 * - `unsure`: the response was lost; check the checkout before doing anything else
 * - `over`: not bought; `message` explains why
 */
type PurchaseStep =
  | { name: 'ready' }
  | { name: 'beginning' }
  | { name: 'approving'; checkout: Checkout }
  | { name: 'instructions'; checkout: Checkout }
  | { name: 'confirming'; checkoutId: string; subscriptionID: string | null }
  | { name: 'unsure'; checkoutId: string; subscriptionID: string | null; message: string }
  | { name: 'over'; reason: 'refused' | 'expired' | 'failed'; message: string }
  | { name: 'approved'; bought: PurchaseResult }

const overWords = {
  refused: 'You didn’t approve the payment. Nothing was charged.',
  expired: 'The payment wasn’t approved in time. Nothing was charged. Start again.',
} as const

export function approvedToast(
  { subscribeTo }: Omit<Order, 'price'>,
  { subscriptionID, isActive }: PurchaseResult,
): { title: string; description?: string } {
  if (!isActive) return { title: 'Subscription approved', description: 'It starts when the first payment arrives.' }
  if (subscribeTo) return { title: 'Subscribed!' }
  return { title: 'Subscription Activated!', description: `Subscription ID: ${subscriptionID}` }
}

/** After a server error, a rate limit, a sign-out or no response, the purchase may have succeeded. Other errors are definite. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429 || error.status === 401
  // fetch rejects with a TypeError if there is no response.
  return error instanceof TypeError
}

/** An expired checkout can't be approved, even if its last known status is open. */
export function isOpen({ status, expiresAt }: Pick<Checkout, 'status' | 'expiresAt'>, now: number): boolean {
  return status === 'open' && Date.parse(expiresAt) > now
}

/** A purchase in progress is stored under this name, so reloading doesn't start another one. */
export function orderName(userId: string, { planId, businessId, subscribeTo, replaces }: Omit<Order, 'price'>): string {
  return ['purchase', userId, planId ?? '', businessId ?? '', subscribeTo ?? '', replaces ?? ''].join('.')
}

type Unsettled = { checkoutId: string; subscriptionID: string | null }

/** People can edit their browser's storage, so this validates the value. */
export function readUnsettled(value: unknown): Unsettled | null {
  if (typeof value !== 'object' || value === null) return null
  const { checkoutId, subscriptionID } = value as Record<string, unknown>
  if (typeof checkoutId !== 'string') return null
  return { checkoutId, subscriptionID: typeof subscriptionID === 'string' ? subscriptionID : null }
}

export const availableFirst = (providers: readonly WayToPay[]): WayToPay[] =>
  providers.toSorted((a, b) => Number(b.isAvailable) - Number(a.isAvailable))

/** The specification has two styles, both vertical with the label "subscribe". */
export type ProviderLook = { shape: 'pill' | 'rect'; color: 'blue' | 'gold' }

const pillAndBlue: ProviderLook = { shape: 'pill', color: 'blue' }
const rectAndGold: ProviderLook = { shape: 'rect', color: 'gold' }

export const lookOf = (planId: string | undefined): ProviderLook => (planId === 'verified' ? pillAndBlue : rectAndGold)

/** The style of our own button, for providers that don't offer one. Looks like the providers' buttons. */
export const buttonLook = ({ shape, color }: ProviderLook) => ({
  variant: color,
  className: shape === 'pill' ? 'w-full rounded-full!' : 'w-full',
})
