import { addMonths } from '../../kernel/months.ts'
import type { ProviderSubscription } from '../../kernel/payments.ts'

/**
 * What a purchase is worth at a moment. Pure, and the only place that decides it.
 *
 * - Money grants: nothing before the first payment, and never more than what was paid for and the grace.
 * - A failed payment, and a provider that is away, both keep everything for the same 30 days after the paid period.
 * - A payer who cancels keeps it until the end of the paid period, and no day longer; until then it can be resumed.
 */
export type AgreementState = {
  status: 'pending' | 'active' | 'past_due' | 'canceled' | 'ended'
  paidUntil: Date | null
  /** Until when it all stays although a payment failed or the provider is silent. */
  graceUntil: Date | null
  /** Unlocked until then, whatever the status says. */
  entitledUntil: Date | null
  pastDueSince: Date | null
  /** By the payer, by us or at the provider: it does not go on after the paid period. */
  isCanceled: boolean
  /** Canceled here and paused at the provider, which charges nothing until it's resumed. */
  isPaused: boolean
  /** The provider charges no more, whatever happens. */
  isClosed: boolean
}

export const graceDays = 30
const day = 86_400_000
/** A period is a month; a provider may take some days for it, and is not believed more. */
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

type Heard = Pick<ProviderSubscription, 'state' | 'failedPayments' | 'lastPaidAt' | 'paidUntil'>

/** After the provider was asked. `null`: it knows of none. */
export function afterHearing(before: AgreementState, heard: Heard | null, now: Date): AgreementState {
  const isClosed = heard === null || heard.state === 'closed'
  const isSuspended = heard?.state === 'suspended'
  // One that was resumed here may still be paused there for a moment: that's no failed payment.
  const isPaused = isSuspended && (before.isCanceled || before.isPaused)
  const isFailing = heard !== null && heard.lastPaidAt !== null && (heard.failedPayments > 0 || (isSuspended && !isPaused))
  const paidUntil = latest(before.paidUntil, periodEnd(heard))
  return decide({ ...before, isClosed, isPaused, isCanceled: before.isCanceled || isClosed, paidUntil }, isFailing, now)
}

/**
 * After money came in that somebody recorded: so many months, from the end of what is paid while everything is still unlocked (the
 * days of grace are paid for too), or else from today. `firstDay`: the day of the month on which it all began; a period that a
 * short month cut goes back to it.
 */
export function afterInvoice(before: AgreementState, months: number, now: Date, firstDay = 0): AgreementState {
  const { paidUntil: end, entitledUntil } = before
  const paidUntil = end && entitledUntil && entitledUntil > now ? addMonths(end, months, sameDay(end, firstDay)) : addMonths(now, months)
  return decide({ ...before, isCanceled: false, isPaused: false, isClosed: false, paidUntil }, false, now)
}

function sameDay(end: Date, firstDay: number): number {
  const isLast = new Date(end.getTime() + day).getUTCDate() === 1
  return isLast ? Math.max(end.getUTCDate(), firstDay) : end.getUTCDate()
}

/** After it was canceled. Canceling again changes nothing. */
export const afterCanceling = (before: AgreementState, now: Date): AgreementState => decide({ ...before, isCanceled: true }, false, now)

/** Canceled, and still paid for. What the provider has closed can't be opened again. */
export const canResume = ({ status, isClosed, paidUntil }: AgreementState, now: Date): boolean =>
  status === 'canceled' && !isClosed && paidUntil !== null && paidUntil > now

/** After the payer resumed it; asked only where that is possible. */
export const afterResuming = (before: AgreementState, now: Date): AgreementState => decide({ ...before, isCanceled: false }, false, now)

/** After time passed without news. `isInvoice`: nobody charges by themselves, so the end of the period is a payment that is missing. */
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
  const graceEnd = new Date(paidUntil.getTime() + graceDays * day)
  const kept = { ...plain, entitledUntil: graceEnd }
  if (graceEnd <= now) return { ...kept, graceUntil: graceEnd, status: 'ended' }
  if (isFailing) return { ...kept, graceUntil: graceEnd, pastDueSince: known.pastDueSince ?? now, status: 'past_due' }
  return { ...kept, graceUntil: paidUntil <= now ? graceEnd : null, status: 'active' }
}

function periodEnd(heard: Heard | null): Date | null {
  if (!heard?.lastPaidAt) return null
  const month = addMonths(heard.lastPaidAt, 1)
  if (!heard.paidUntil) return month
  return new Date(Math.min(heard.paidUntil.getTime(), month.getTime() + slackDays * day))
}

const latest = (a: Date | null, b: Date | null): Date | null => (a && b ? (a > b ? a : b) : (a ?? b))
