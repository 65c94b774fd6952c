export const minimumAge = 18

/** A calendar date without a time: `2008-11-21`. */
export type CalendarDate = string

/** Today's date in UTC, used for all age checks on the server and in the browser. */
export const utcDate = (now: Date): CalendarDate => now.toISOString().slice(0, 10)

/** Age in whole years on the day `today`. In common years, people born on February 29 turn a year older on March 1. */
export function ageOn(birthday: CalendarDate, today: CalendarDate): number {
  const years = Number(today.slice(0, 4)) - Number(birthday.slice(0, 4))
  return today.slice(5) >= birthday.slice(5) ? years : years - 1
}

/** Checks that a date exists: rejects 2023-02-29. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && utcDate(date) === text
}

/** Cookie that remembers that the age gate was passed in this browser. */
export const ageCookie = 'age-confirmed'

/** Where the age gate's form is sent: `POST`, with `confirmed=on`. */
export const ageGatePath = '/age-gate'

/**
 * The age in whole years that a browser confirmed: the site's minimum (`true`), or that of a place whose menu was opened. Null if none.
 */
export function confirmedAge(cookie: string | undefined): number | null {
  if (cookie === 'true') return minimumAge
  return cookie !== undefined && /^\d\d$/.test(cookie) ? Number(cookie) : null
}

/** The value to store once an age is confirmed. Never lowers a confirmed age. */
export function ageCookieFor(age: number, before: string | undefined): string {
  const years = Math.max(age, confirmedAge(before) ?? 0)
  return years === minimumAge ? 'true' : String(years)
}
