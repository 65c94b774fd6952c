import type { SubscriptionReport } from '../../../contracts/billing.ts'
import { dateFormat } from '../../lib/format.ts'

type Month = SubscriptionReport['months'][number]

const long = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' })
const short = dateFormat({ month: 'short', timeZone: 'UTC' })
const dateOf = (month: string): Date => new Date(`${month}-01T00:00:00Z`)

/** "2026-11" → "November 2026" */
export const monthName = (month: string): string => long.format(dateOf(month))
/** "2026-11" → "Nov" */
export const shortMonth = (month: string): string => short.format(dateOf(month))

/** 4.166 → "4.2%"; "–" where there was nobody who could have left. */
export const churnText = (churn: number | null): string => (churn === null ? '–' : `${churn.toFixed(1).replace(/\.0$/, '')}%`)

/** What the months can be drawn by. */
export const measures = { subscribers: 'Subscribers', revenue: 'Revenue', began: 'New', ended: 'Ended' } as const
export type Measure = keyof typeof measures
export const amountOf = (month: Month, measure: Measure): number => Number(month[measure])

/** The height of each month's bar, in percent of the highest; a month with something in it is never quite flat. */
export function barHeights(months: readonly Month[], measure: Measure): number[] {
  const values = months.map((month) => amountOf(month, measure))
  const highest = Math.max(...values, 0)
  return values.map((value) => (value <= 0 || highest === 0 ? 0 : Math.max(3, Math.round((value / highest) * 100))))
}
