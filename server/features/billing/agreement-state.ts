import { dayMs } from '#contracts/time.ts'
import type { ProviderSubscription } from '#server/kernel/payments.ts'
import { addMonths } from '#server/kernel/time-zones.ts'

/**
 * What a purchase unlocks at a given moment. Only the pure functions in this file decide it.
 *
 * - Only payment unlocks anything: nothing before the first payment, and never more than the paid period plus grace.
 * - After a failed payment or while the provider is unreachable, everything remains unlocked for 30 days past the paid period.
 * - A canceled plan remains unlocked until the paid period ends. It can be resumed until then unless the provider closed it.
 */
export type AgreementState = {
  status: 'pending' | 'active' | 'past_due' | 'canceled' | 'ended'
  paidUntil: Date | null
  /** End of the grace period while a payment has failed or the provider is unreachable. */
  graceUntil: Date | null
  /** The entitlement lasts until then, whatever the status. */
  entitledUntil: Date | null
  pastDueSince: Date | null
  /** Canceled by the payer, by the site or at the provider: it won't renew after the paid period. */
  isCanceled: boolean
  /** Canceled here and paused at the provider, which charges nothing until it's resumed. */
  isPaused: boolean
  /** The provider will never charge again. */
  isClosed: boolean
}

export const graceDays = 30
/** A period is a month. If the provider states a later end, it counts only up to this many days after the month. */
const slackDays = 5

export const newAgreement: AgreementState = {
  status: 'pending',
  paidUntil: null,
  graceUntil: null,
  entitledUntil: null,
  pastDueSince: null,
  isCanceled: false,
  isPaused: false,
  isClosed: false,
}

type ProviderReport = Pick<ProviderSubscription, 'state' | 'failedPayments' | 'lastPaidAt' | 'paidUntil'>

/** `heard` is null if the provider has no such subscription. */
export function afterProviderReport(before: AgreementState, heard: ProviderReport | null, now: Date): AgreementState {
  const isClosed = heard === null || heard.state === 'closed'
  const isSuspended = heard?.state === 'suspended'
  // A subscription that was just resumed here may still be paused there; that's not a failed payment.
  const isPaused = isSuspended && (before.isCanceled || before.isPaused)
  const isFailing = heard !== null && heard.lastPaidAt !== null && (heard.failedPayments > 0 || (isSuspended && !isPaused))
  const paidUntil = latest(before.paidUntil, periodEnd(heard))
  return decide({ ...before, isClosed, isPaused, isCanceled: before.isCanceled || isClosed, paidUntil }, isFailing, now)
}

/**
 * Months count from the end of the paid period while the payer is still entitled (so grace days are paid for, too), otherwise
 * from today. `firstDay` is the day of the month on which the plan started; after a shorter month, periods end on that day again.
 */
export function afterInvoice(before: AgreementState, months: number, now: Date, firstDay = 0): AgreementState {
  const { paidUntil: end, entitledUntil } = before
  const paidUntil = end && entitledUntil && entitledUntil > now ? addMonths(end, months, sameDay(end, firstDay)) : addMonths(now, months)
  return decide({ ...before, isCanceled: false, isPaused: false, isClosed: false, paidUntil }, false, now)
}

function sameDay(end: Date, firstDay: number): number {
  const isLast = new Date(end.getTime() + dayMs).getUTCDate() === 1
  return isLast ? Math.max(end.getUTCDate(), firstDay) : end.getUTCDate()
}

/** Idempotent. */
export const afterCanceling = (before: AgreementState, now: Date): AgreementState => decide({ ...before, isCanceled: true }, false, now)

/** Canceled but still paid for. A subscription closed at the provider can't be reopened. */
export const canResume = ({ status, isClosed, paidUntil }: AgreementState, now: Date): boolean =>
  status === 'canceled' && !isClosed && paidUntil !== null && paidUntil > now

/** Precondition: `canResume`. */
export const afterResuming = (before: AgreementState, now: Date): AgreementState => decide({ ...before, isCanceled: false }, false, now)

/** With `isInvoice`, no one is charged automatically, so the end of the period is a missed payment. */
export function afterTime(before: AgreementState, now: Date, isInvoice: boolean): AgreementState {
  const isMissing = isInvoice && before.paidUntil !== null && before.paidUntil <= now
  return decide(before, before.pastDueSince !== null || isMissing, now)
}

export const isEntitled = (status: AgreementState['status']): boolean =>
  status === 'active' || status === 'past_due' || status === 'canceled'

function decide(known: AgreementState, isFailing: boolean, now: Date): AgreementState {
  const { paidUntil, isCanceled } = known
  const plain = { ...known, graceUntil: null, pastDueSince: null }
  if (paidUntil === null) return { ...plain, entitledUntil: null, status: isCanceled ? 'ended' : 'pending' }
  if (isCanceled) return { ...plain, entitledUntil: paidUntil, status: paidUntil > now ? 'canceled' : 'ended' }
  const graceEnd = new Date(paidUntil.getTime() + graceDays * dayMs)
  const inGrace = { ...plain, entitledUntil: graceEnd }
  if (graceEnd <= now) return { ...inGrace, graceUntil: graceEnd, status: 'ended' }
  if (isFailing) return { ...inGrace, graceUntil: graceEnd, pastDueSince: known.pastDueSince ?? now, status: 'past_due' }
  return { ...inGrace, graceUntil: paidUntil <= now ? graceEnd : null, status: 'active' }
}

function periodEnd(heard: ProviderReport | null): Date | null {
  if (!heard?.lastPaidAt) return null
  const month = addMonths(heard.lastPaidAt, 1)
  if (!heard.paidUntil) return month
  return new Date(Math.min(heard.paidUntil.getTime(), month.getTime() + slackDays * dayMs))
}

const latest = (a: Date | null, b: Date | null): Date | null => (a && b ? (a > b ? a : b) : (a ?? b))
