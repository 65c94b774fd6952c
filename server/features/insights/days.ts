/** A day of the calendar as PostgreSQL writes it, "2026-11-21", in whatever time zone it is a day of. */
export type Day = string

const msOf = (day: Day) => Date.parse(`${day}T00:00:00Z`)
const dayOf = (ms: number): Day => new Date(ms).toISOString().slice(0, 10)

export const addDays = (day: Day, count: number): Day => dayOf(msOf(day) + count * 86_400_000)

/** How many days from one to the other; 0 for the same. */
export const daysFrom = (first: Day, last: Day): number => Math.round((msOf(last) - msOf(first)) / 86_400_000)

/** The UTC day of a time. */
export const utcDay = (time: Date): Day => dayOf(time.getTime())

/** The day it is at a time in a time zone (an IANA name). */
export const dayIn = (timeZone: string, time: Date): Day => formatOf(timeZone).format(time)

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  formats.set(timeZone, format)
  return format
}

export type Step = 'day' | 'week' | 'month'

/** The first day of the day, the week (from Monday) or the month that a day is in. */
export function stepOf(day: Day, by: Step): Day {
  if (by === 'day') return day
  if (by === 'month') return `${day.slice(0, 7)}-01`
  const weekday = (new Date(msOf(day)).getUTCDay() + 6) % 7
  return addDays(day, -weekday)
}

/** The first days of all steps from one day to another, both counted. */
export function stepsBetween(from: Day, to: Day, by: Step): Day[] {
  const steps: Day[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const step = stepOf(day, by)
    if (steps.at(-1) !== step) steps.push(step)
  }
  return steps
}

export const yearStart = (day: Day): Day => `${day.slice(0, 4)}-01-01`
