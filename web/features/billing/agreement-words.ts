import type { Agreement, Payment, PaymentProviderName } from '../../../contracts/billing.ts'
import { dateFormat, numberFormat } from '../../lib/format.ts'

const day = dateFormat({ dateStyle: 'long', timeZone: 'UTC' })

/** "November 21, 2026", for the reader's place. */
export const dayOf = (at: string): string => day.format(new Date(at))

/** "12.50" of USD → "$12.50", "75.00" → "$75": the cents stand there when there are some. */
export function moneyText({ amount, currency }: { amount: string; currency: string }): string {
  return numberFormat({ style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(amount as `${number}`)
}

type Words = { badge: string; tone: 'leaf' | 'clay' | 'neutral'; text: string }

/** How a purchase stands, in a word and in a sentence. */
export function agreementWords({
  status,
  paidUntil,
  graceUntil,
  isSubscription,
  provider,
}: Pick<Agreement, 'status' | 'paidUntil' | 'graceUntil' | 'isSubscription' | 'provider'>): Words {
  const until = paidUntil && dayOf(paidUntil)
  switch (status) {
    case 'pending':
      return { badge: 'Waiting', tone: 'neutral', text: 'Approved. It starts when the first payment arrives.' }
    case 'active':
      return { badge: 'Active', tone: 'leaf', text: until ? `${provider === 'invoice' ? 'Paid until' : 'Renews on'} ${until}` : 'Active' }
    case 'past_due':
      return {
        badge: 'Payment failed',
        tone: 'clay',
        text: graceUntil
          ? `Your payment failed. You keep everything until ${dayOf(graceUntil)} while we try again. Check your payment method.`
          : 'Your payment failed. We’ll try again. Check your payment method.',
      }
    case 'canceled':
      return { badge: 'Canceled', tone: 'neutral', text: until ? `Active until ${until}. You won’t be charged again.` : 'Canceled' }
    case 'ended':
      return { badge: 'Ended', tone: 'neutral', text: isSubscription ? 'This subscription has ended.' : 'This plan has ended.' }
  }
}

/** What canceling means for a purchase as it stands. */
export function cancelWords({ status, paidUntil }: Pick<Agreement, 'status' | 'paidUntil'>): string {
  const until = paidUntil && dayOf(paidUntil)
  if (status === 'pending') return 'You haven’t paid anything yet, so it ends right away.'
  if (status === 'past_due') return 'We won’t try the failed payment again, and you won’t be charged.'
  if (status === 'ended') return 'It has ended.'
  if (!until) return 'It stays active to the end of the paid period. You won’t be charged after that.'
  return `It stays active until ${until}, the end of the paid period. You won’t be charged again.`
}

const providerNames: Record<PaymentProviderName, string> = { test: 'Test mode', paypal: 'PayPal', invoice: 'Invoice' }
export const providerName = (provider: PaymentProviderName): string => providerNames[provider]

const paymentStatuses: Record<Payment['status'], { badge: string; tone: Words['tone'] }> = {
  paid: { badge: 'Paid', tone: 'leaf' },
  failed: { badge: 'Failed', tone: 'clay' },
  refunded: { badge: 'Refunded', tone: 'neutral' },
  partially_refunded: { badge: 'Partly refunded', tone: 'neutral' },
}
export const paymentWords = (status: Payment['status']) => paymentStatuses[status]
