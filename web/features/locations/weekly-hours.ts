import type { OpenInterval, WeeklyHours } from '../../../contracts/locations.ts'

export const usualInterval: OpenInterval = { opens: 9 * 60, closes: 21 * 60 }
export const maxIntervals = 4

/** What most shops have: every day from nine to nine. */
export const usualWeek = (): WeeklyHours => Array.from({ length: 7 }, () => [{ ...usualInterval }])

/** One day's hours on all of them. */
export const copiedToAll = (hours: WeeklyHours, day: number): WeeklyHours =>
  hours.map(() => (hours[day] ?? []).map((interval) => ({ ...interval })))

/** An interval that fits after those there are: two hours from an hour after the last. */
export function nextInterval(intervals: readonly OpenInterval[]): OpenInterval | null {
  const last = intervals.at(-1)
  if (!last) return { ...usualInterval }
  if (intervals.length >= maxIntervals || endOf(last) + 120 > 1440) return null
  const opens = endOf(last) + 60
  return { opens, closes: Math.min(1440, opens + 120) }
}

/** When it ends, in minutes from the beginning of its day: beyond 1440 when that is on the next. */
export const endOf = ({ opens, closes }: OpenInterval): number => (closes <= opens ? closes + 1440 : closes)

/** What is wrong with a day's hours; null when nothing is. */
export function intervalsProblem(intervals: readonly OpenInterval[]): string | null {
  const inOrder = [...intervals].sort((a, b) => a.opens - b.opens)
  const overlaps = inOrder.some((interval, index) => {
    const next = inOrder[index + 1]
    return next !== undefined && endOf(interval) > next.opens
  })
  return overlaps ? 'These times overlap.' : null
}

/** What is wrong with a week: a day that runs past midnight into the next one's hours counts, too. By day. */
export function weekProblems(hours: WeeklyHours): (string | null)[] {
  return hours.map((intervals, day) => {
    const own = intervalsProblem(intervals)
    if (own) return own
    const latest = Math.max(0, ...intervals.map(endOf)) - 1440
    const first = Math.min(...(hours[(day + 1) % 7] ?? []).map(({ opens }) => opens))
    return latest > first ? 'This runs into the hours of the next day.' : null
  })
}
