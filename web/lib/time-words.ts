import { dayMs, hourMs, minuteMs } from '#contracts/time.ts'
import { dateFormat, localTimeZone } from './format.ts'

/** Minutes of the day as a time input's value: 1320 → "22:00". */
export function toClock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

export function fromClock(text: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  return match ? Number(match[1]) * 60 + Number(match[2]) : null
}

/** "10 PM to 7 AM, 9 hours". Crosses midnight if it ends before it starts. */
export function spanWords({ from, until }: { from: number; until: number }): string {
  const length = (until - from + 1440) % 1440 || 1440
  const hours = Math.floor(length / 60)
  const minutes = length % 60
  const parts = [
    hours > 0 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : '',
    minutes > 0 ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}` : '',
  ].filter(Boolean)
  return `${wallTime(from)} to ${wallTime(until)}, ${parts.join(' ')}`
}

function wallTime(minutes: number): string {
  const hour = Math.floor(minutes / 60)
  const rest = minutes % 60
  return `${hour % 12 || 12}${rest ? `:${String(rest).padStart(2, '0')}` : ''} ${hour < 12 ? 'AM' : 'PM'}`
}

const words = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })

/** "just now" or "5 minutes ago"; after 24 hours, by calendar days in the time zone: "yesterday", "2 days ago", "Mar 3" after a week. */
export function relativeTime(at: Date, now: Date, timeZone: string): string {
  const age = now.getTime() - at.getTime()
  // Clocks differ slightly, so a future time counts as now.
  if (age < minuteMs) return 'just now'
  if (age < hourMs) return words.format(-Math.floor(age / minuteMs), 'minute')
  if (age < dayMs) return words.format(-Math.floor(age / hourMs), 'hour')
  const days = daysBetween(dayIn(timeZone, at), dayIn(timeZone, now))
  if (days < 7) return words.format(-days, 'day')
  const year = dateFormat({ year: 'numeric', timeZone })
  const isThisYear = year.format(at) === year.format(now)
  return dateFormat({ month: 'short', day: 'numeric', ...(!isThisYear && { year: 'numeric' }), timeZone }).format(at)
}

const dayIn = (timeZone: string, at: Date): string => at.toLocaleDateString('en-US', { timeZone })

/** `2026-11-02`, in the device's time zone. */
export const localDay = (at = new Date()): string =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`

export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

/** "until December 23, 2026", in the viewer's time zone. Empty if there's no end. */
const untilWords = (endsAt: string | null): string =>
  endsAt === null ? '' : `until ${dateFormat({ dateStyle: 'long', timeZone: localTimeZone() }).format(new Date(endsAt))}`

/** "Pro", or "Pro until December 23, 2026" if canceled. */
export const planWords = (name: string, endsAt: string | null): string => `${name} ${untilWords(endsAt)}`.trim()
