import type { Location, OpenInterval, SpecialDay, WeeklyHours } from '#contracts/locations.ts'
import { dayMs } from '#contracts/time.ts'
import { dateFormat } from '#web/lib/format.ts'

/** Starts with Monday, like the hours. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** 1290 → "9:30 PM", 0 and 1440 → "midnight", 720 → "noon". */
export function clockWords(minutes: number): string {
  if (minutes % 1440 === 0) return 'midnight'
  if (minutes === 720) return 'noon'
  const hour = Math.floor(minutes / 60)
  const rest = minutes % 60
  return `${hour % 12 || 12}${rest > 0 ? `:${String(rest).padStart(2, '0')}` : ''} ${hour < 12 ? 'AM' : 'PM'}`
}

export const isWholeDay = ({ opens, closes }: OpenInterval): boolean => opens === 0 && (closes === 1440 || closes === 0)

/** "9 AM – 9 PM", "Open 24 hours", "Closed", "9 AM – noon, 1 PM – 6 PM". */
export function intervalsWords(intervals: readonly OpenInterval[]): string {
  if (intervals.length === 0) return 'Closed'
  if (intervals.some(isWholeDay)) return 'Open 24 hours'
  return intervals.map(({ opens, closes }) => `${clockWords(opens)} – ${clockWords(closes)}`).join(', ')
}

/** Groups consecutive days with the same hours: "Monday – Friday". */
export function weekLines(hours: WeeklyHours): { days: string; words: string; first: number; last: number }[] {
  const lines: { days: string; words: string; first: number; last: number }[] = []
  for (const [day, intervals] of hours.entries()) {
    const words = intervalsWords(intervals)
    const line = lines.at(-1)
    if (line?.words === words) line.last = day
    else lines.push({ days: '', words, first: day, last: day })
  }
  return lines.map((line) => ({ ...line, days: daysWords(line.first, line.last) }))
}

function daysWords(first: number, last: number): string {
  if (first === 0 && last === 6) return 'Every day'
  if (first === last) return weekdays[first] as string
  return `${weekdays[first]} ${last === first + 1 ? 'and' : '–'} ${weekdays[last]}`
}

/** In the location's time zone. `weekday` 0 is Monday; `day` is "2026-11-26". */
export function localMoment(at: Date, timeZone: string): { day: string; weekday: number; minutes: number } {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const day = `${parts.year}-${parts.month}-${parts.day}`
  return { day, weekday: (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7, minutes: Number(parts.hour) * 60 + Number(parts.minute) }
}

export type OpenWords = { isOpen: boolean; state: string; change: string | null }

/**
 * "Open now · closes 9 PM", "Closed · opens Monday 9 AM", in the location's time zone. After `changesAt`, the state is inverted, and the
 * next change is unknown.
 */
export function openWords({ openNow, timeZone }: Pick<Location, 'openNow' | 'timeZone'>, now: Date): OpenWords | null {
  if (!openNow) return null
  const changesAt = openNow.changesAt === null ? null : new Date(openNow.changesAt)
  const hasTurned = changesAt !== null && changesAt <= now
  const isOpen = hasTurned ? !openNow.isOpen : openNow.isOpen
  const state = isOpen ? 'Open now' : 'Closed'
  if (changesAt === null || hasTurned) return { isOpen, state, change: null }
  const here = localMoment(now, timeZone)
  const there = localMoment(changesAt, timeZone)
  const days = Math.round((Date.parse(there.day) - Date.parse(here.day)) / dayMs)
  // Closing at 2 AM counts as tonight, not tomorrow.
  const isTonight = isOpen && days === 1 && there.minutes <= 6 * 60
  const when = days === 0 || isTonight ? '' : days === 1 ? 'tomorrow ' : `${weekdays[there.weekday]} `
  return { isOpen, state, change: `${isOpen ? 'closes' : 'opens'} ${when}${clockWords(there.minutes)}` }
}

const dayWords = dateFormat({ timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' })

/** "2026-11-26" → "Thu, Nov 26". */
export const specialDayWords = (day: string): string => dayWords.format(new Date(`${day}T00:00:00Z`))

export function comingDays(special: readonly SpecialDay[], timeZone: string, now: Date, days = 14): SpecialDay[] {
  const from = localMoment(now, timeZone).day
  const until = localMoment(new Date(now.getTime() + days * dayMs), timeZone).day
  return special.filter(({ day }) => day >= from && day <= until).sort((a, b) => a.day.localeCompare(b.day))
}
