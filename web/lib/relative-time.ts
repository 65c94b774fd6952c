import { dateFormat } from './format.ts'

const words = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** "just now", "5 minutes ago", "yesterday", "Mar 3": how long ago it was, and from a week on the day in that time zone. */
export function relativeTime(at: Date, now: Date, timeZone: string): string {
  const age = now.getTime() - at.getTime()
  // Clocks differ a little: what seems to be ahead has just happened.
  if (age < minute) return 'just now'
  if (age < hour) return words.format(-Math.floor(age / minute), 'minute')
  if (age < day) return words.format(-Math.floor(age / hour), 'hour')
  if (age < 7 * day) return words.format(-Math.floor(age / day), 'day')
  const year = dateFormat({ year: 'numeric', timeZone })
  const isThisYear = year.format(at) === year.format(now)
  return dateFormat({ month: 'short', day: 'numeric', ...(!isThisYear && { year: 'numeric' }), timeZone }).format(at)
}
