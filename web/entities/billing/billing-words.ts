import type { AccountState, Agreement, Checkout, Payment, PaymentAccounts, SubscriptionReport } from '#contracts/billing.ts'
import { formatCents, parseCents } from '#contracts/money.rules.ts'
import { cancelThereToo, chargesItself } from '#contracts/payment-providers.ts'
import type { Plan } from '#contracts/plans.ts'
import { dateFormat, formatNumber, localTimeZone, numberFormat } from '#web/lib/format.ts'

/** "November 21, 2026", in the viewer's time zone. A deadline is a moment, so west of UTC it often falls on the previous day. */
export const dayOf = (at: string): string => dateFormat({ dateStyle: 'long', timeZone: localTimeZone() }).format(new Date(at))

/** "12.50" USD → "$12.50", "75.00" → "$75". */
export function moneyText({ amount, currency }: { amount: string; currency: string }): string {
  return numberFormat({ style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(amount as `${number}`)
}

/** The monthly price of one of the site's plans. */
export const planPrice = ({ monthlyCents }: Pick<Plan, 'monthlyCents'>): Checkout['price'] => ({
  amount: formatCents(monthlyCents),
  currency: 'USD',
})

type Words = { badge: string; tone: 'leaf' | 'clay' | 'neutral'; text: string }

export function agreementWords({
  status,
  paidUntil,
  graceUntil,
  isSubscription,
  provider,
  mayStillCharge,
}: Pick<Agreement, 'status' | 'paidUntil' | 'graceUntil' | 'isSubscription' | 'provider' | 'mayStillCharge'>): Words {
  const until = paidUntil && dayOf(paidUntil)
  switch (status) {
    case 'pending':
      return { badge: 'Waiting', tone: 'neutral', text: 'Approved. It starts when the first payment arrives.' }
    case 'active':
      return { badge: 'Active', tone: 'leaf', text: until ? `${chargesItself(provider) ? 'Renews on' : 'Paid until'} ${until}` : 'Active' }
    case 'past_due':
      if (!chargesItself(provider))
        return {
          badge: 'Payment due',
          tone: 'clay',
          text: graceUntil
            ? `The paid period has ended. You’ll keep everything until ${dayOf(graceUntil)}. To continue, pay the same way as before.`
            : 'The paid period has ended. To continue, pay the same way as before.',
        }
      return {
        badge: 'Payment failed',
        tone: 'clay',
        text: graceUntil
          ? `Your payment failed. You’ll keep everything until ${dayOf(graceUntil)} while we try again. Check your payment method.`
          : 'Your payment failed. We’ll try again. Check your payment method.',
      }
    case 'canceled':
      return {
        badge: 'Canceled',
        tone: 'neutral',
        text: until ? `Active until ${until}.${mayStillCharge ? '' : ' You won’t be charged again.'}` : 'Canceled',
      }
    case 'ended':
      return { badge: 'Ended', tone: 'neutral', text: isSubscription ? 'This subscription has ended.' : 'This plan has ended.' }
  }
}

type Cancelable = Pick<Agreement, 'status' | 'paidUntil' | 'provider' | 'mayStillCharge'>

export function cancelWords({ status, paidUntil, provider, mayStillCharge }: Cancelable): string {
  const until = paidUntil && dayOf(paidUntil)
  if (status === 'pending') return 'You haven’t paid anything yet, so it will end right away.'
  if (status === 'past_due' && !chargesItself(provider)) return 'The paid period has ended, so it will end right away.'
  if (status === 'past_due')
    return mayStillCharge ? cancelThereToo(provider) : 'We won’t try the failed payment again, and you won’t be charged.'
  if (status === 'ended') return 'It has ended.'
  if (mayStillCharge) return `It stays active until ${until ?? 'the end of the paid period'}. ${cancelThereToo(provider)}`
  if (!until) return 'It stays active until the end of the paid period. You won’t be charged after that.'
  return `It stays active until ${until}, the end of the paid period. You won’t be charged again.`
}

type Resumable = Pick<Agreement, 'status' | 'mayStillCharge'> & { abilities: Pick<Agreement['abilities'], 'resume'> }

/** After resuming. Undefined if nothing was paid yet. */
export const resumedWords = ({ paidUntil, provider }: Pick<Agreement, 'paidUntil' | 'provider'>): string | undefined =>
  paidUntil ? `${chargesItself(provider) ? 'It renews on' : 'It’s paid until'} ${dayOf(paidUntil)}.` : undefined

/** Shown after {@link cancelWords}. Null unless the purchase stays active until the end of the paid period. */
export const resumeWords = ({ status, mayStillCharge, abilities }: Resumable): string | null =>
  (status === 'active' && !mayStillCharge) || abilities.resume ? 'You can resume it until then.' : null

const paymentStatuses: Record<Payment['status'], { badge: string; tone: Words['tone'] }> = {
  paid: { badge: 'Paid', tone: 'leaf' },
  failed: { badge: 'Failed', tone: 'clay' },
  refunded: { badge: 'Refunded', tone: 'neutral' },
  partially_refunded: { badge: 'Partly refunded', tone: 'neutral' },
}
export const paymentWords = (status: Payment['status']) => paymentStatuses[status]

/** The part of a payment that hasn't been refunded. */
export const refundable = ({ money, refunded }: Pick<Payment, 'money' | 'refunded'>): Payment['money'] => ({
  ...money,
  amount: formatCents(parseCents(money.amount) - parseCents(refunded?.amount ?? '0')),
})

type PayPal = NonNullable<PaymentAccounts['paypal']>

export function accountWords({ state, failingSince }: { state: AccountState; failingSince?: PayPal['failingSince'] }): {
  badge: string
  tone: 'leaf' | 'clay' | 'neutral'
  text: string | null
  isBroken: boolean
} {
  const since = failingSince ? ` since ${dayOf(failingSince)}` : ''
  switch (state) {
    case 'working':
      return { badge: 'Connected', tone: 'leaf', text: null, isBroken: false }
    case 'silent':
      return {
        badge: 'Not responding',
        tone: 'neutral',
        text: `PayPal hasn’t responded${since}. Nothing has been lost. We retry every night.`,
        isBroken: false,
      }
    case 'refused':
      return {
        badge: 'Reconnect',
        tone: 'clay',
        text: `PayPal hasn’t accepted these keys${since}. No one new can subscribe with PayPal until you reconnect the account.`,
        isBroken: true,
      }
    case 'unreadable':
      return {
        badge: 'Reconnect',
        tone: 'clay',
        text: 'The stored key can’t be read, because this server’s secret was changed. Reconnect the account.',
        isBroken: true,
      }
    case 'former_owner':
      return {
        badge: 'Former owner’s',
        tone: 'clay',
        text: 'A former owner connected this account, so it can’t accept new subscribers. Connect your own.',
        isBroken: true,
      }
  }
}

export const peoplePay = (count: number): string => (count === 1 ? '1 person pays' : `${formatNumber(count)} people pay`)

type Month = SubscriptionReport['months'][number]

const long = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' })
const short = dateFormat({ month: 'short', timeZone: 'UTC' })
const dateOf = (month: string): Date => new Date(`${month}-01T00:00:00Z`)

/** "2026-11" → "November 2026" */
export const monthName = (month: string): string => long.format(dateOf(month))
export const shortMonth = (month: string): string => short.format(dateOf(month))

/** 4.166 → "4.2%"; "–" for a month without subscribers who could leave. */
export const churnText = (churn: number | null): string => (churn === null ? '–' : `${churn.toFixed(1).replace(/\.0$/, '')}%`)

export const measures = { subscribers: 'Subscribers', revenue: 'Revenue', began: 'New', ended: 'Ended' } as const
export type IncomeMeasure = keyof typeof measures
export const amountOf = (month: Month, measure: IncomeMeasure): number => Number(month[measure])

/** As percentages of the highest bar. A month above zero always has a visible bar. */
export function barHeights(months: readonly Month[], measure: IncomeMeasure): number[] {
  const values = months.map((month) => amountOf(month, measure))
  const highest = Math.max(...values, 0)
  return values.map((value) => (value <= 0 || highest === 0 ? 0 : Math.max(3, Math.round((value / highest) * 100))))
}
