import type { OpenInterval, WeeklyHours } from '#contracts/locations.ts'

const usualInterval: OpenInterval = { opens: 9 * 60, closes: 21 * 60 }
const maxIntervals = 4

/** Default hours: every day from nine to nine. */
export const usualWeek = (): WeeklyHours => Array.from({ length: 7 }, () => [{ ...usualInterval }])

export const copiedToAll = (hours: WeeklyHours, day: number): WeeklyHours =>
  hours.map(() => (hours[day] ?? []).map((interval) => ({ ...interval })))

/** Suggests another interval: two hours, starting an hour after the last one. Null if there is no room. */
export function nextInterval(intervals: readonly OpenInterval[]): OpenInterval | null {
  const last = intervals.at(-1)
  if (!last) return { ...usualInterval }
  if (intervals.length >= maxIntervals || endOf(last) + 120 > 1440) return null
  const opens = endOf(last) + 60
  return { opens, closes: Math.min(1440, opens + 120) }
}

/** End in minutes from the start of its day; over 1440 if it is on the next day. */
const endOf = ({ opens, closes }: OpenInterval): number => (closes <= opens ? closes + 1440 : closes)

export function intervalsProblem(intervals: readonly OpenInterval[]): string | null {
  const inOrder = [...intervals].sort((a, b) => a.opens - b.opens)
  const overlaps = inOrder.some((interval, index) => {
    const next = inOrder[index + 1]
    return next !== undefined && endOf(interval) > next.opens
  })
  return overlaps ? 'These times overlap.' : null
}

/** Errors by day, including hours past midnight that overlap the next day's. */
export function weekProblems(hours: WeeklyHours): (string | null)[] {
  return hours.map((intervals, day) => {
    const own = intervalsProblem(intervals)
    if (own) return own
    const latest = Math.max(0, ...intervals.map(endOf)) - 1440
    const first = Math.min(...(hours[(day + 1) % 7] ?? []).map(({ opens }) => opens))
    return latest > first ? 'These hours overlap with the next day’s.' : null
  })
}
