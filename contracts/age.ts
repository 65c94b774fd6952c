export const minimumAge = 18

/** ISO date: `2008-11-21`. */
export type CalendarDate = string

/** Age checks use UTC on the server and in the browser, so they agree. */
export const utcDate = (now: Date): CalendarDate => now.toISOString().slice(0, 10)

/** Age in whole years. In common years, people born on February 29 turn a year older on March 1. */
export function ageOn(birthday: CalendarDate, today: CalendarDate): number {
  const years = Number(today.slice(0, 4)) - Number(birthday.slice(0, 4))
  return today.slice(5) >= birthday.slice(5) ? years : years - 1
}

/** The latest birthday of people who are at least this old, as `ageOn` counts. */
export function latestBirthday(age: number, today: CalendarDate): CalendarDate {
  const date = `${Number(today.slice(0, 4)) - age}${today.slice(4)}`
  return isCalendarDate(date) ? date : date.replace('-02-29', '-02-28')
}

/** Rejects dates that don't exist, such as 2023-02-29. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && utcDate(date) === text
}

export const ageCookie = 'age-confirmed'

/** The age gate's form is posted here with `confirmed=on`. */
export const ageGatePath = '/age-gate'

/**
 * The age confirmed in this browser, in years. `true` means the site's minimum age. A number is the minimum age for a menu that the visitor
 * opened.
 */
export function confirmedAge(cookie: string | undefined): number | null {
  if (cookie === 'true') return minimumAge
  return cookie !== undefined && /^\d\d$/.test(cookie) ? Number(cookie) : null
}

/** Never lowers an age that was confirmed before. */
export function ageCookieFor(age: number, before: string | undefined): string {
  const years = Math.max(age, confirmedAge(before) ?? 0)
  return years === minimumAge ? 'true' : String(years)
}
