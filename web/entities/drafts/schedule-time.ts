import { minuteMs } from '#contracts/time.ts'
import { localDateFormat } from '#web/lib/format.ts'
import { localDay } from '#web/lib/time-words.ts'

/** Values of date and time inputs, in local time. */
export type DayAndTime = { day: string; time: string }

const two = (number: number) => String(number).padStart(2, '0')

export const timeOf = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}`

export const fieldsOf = (date: Date): DayAndTime => ({ day: localDay(date), time: timeOf(date) })

export function momentOf({ day, time }: DayAndTime): Date | null {
  const date = new Date(`${day}T${time}`)
  return day === '' || time === '' || Number.isNaN(date.getTime()) ? null : date
}

/** The first time on the hour that is more than an hour away. */
export function firstProposal(now: Date): Date {
  const date = new Date(now)
  date.setHours(date.getHours() + 2, 0, 0, 0)
  return date
}

/** The next time with this weekday and hour, at least 15 minutes from now. `weekday` 0 is Monday. */
export function nextTime({ weekday, hour }: { weekday: number; hour: number }, now: Date): Date {
  const date = new Date(now)
  date.setHours(hour, 0, 0, 0)
  date.setDate(date.getDate() + ((weekday - ((now.getDay() + 6) % 7) + 7) % 7))
  if (date.getTime() - now.getTime() < 15 * minuteMs) date.setDate(date.getDate() + 7)
  return date
}

export type DayGroup<Item> = { day: string; label: string; items: Item[] }

const withinWeek = localDateFormat({ weekday: 'long', month: 'short', day: 'numeric' })
const otherYear = localDateFormat({ weekday: 'long', month: 'short', day: 'numeric', year: 'numeric' })

/** Groups have titles such as "Today", "Tomorrow" and "Friday, Nov 27". Earliest first. */
export function byDay<Item extends { publishAt: string | null }>(items: readonly Item[], now: Date): DayGroup<Item>[] {
  const groups = new Map<string, DayGroup<Item>>()
  const timed = items.flatMap((item) => (item.publishAt === null ? [] : [{ item, at: new Date(item.publishAt) }]))
  for (const { item, at } of timed.sort((a, b) => a.at.getTime() - b.at.getTime())) {
    const day = localDay(at)
    const group = groups.get(day) ?? { day, label: dayLabel(at, now), items: [] }
    group.items.push(item)
    groups.set(day, group)
  }
  return [...groups.values()]
}

export function dayLabel(at: Date, now: Date): string {
  if (localDay(at) === localDay(now)) return 'Today'
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
  if (localDay(at) === localDay(tomorrow)) return 'Tomorrow'
  return (at.getFullYear() === now.getFullYear() ? withinWeek : otherYear).format(at)
}

const clockTime = localDateFormat({ hour: 'numeric', minute: '2-digit' })
export const clockOf = (at: Date): string => clockTime.format(at)

/** For the middle of a sentence: "today at 6:00 PM", "on Friday, Nov 27 at 6:00 PM". */
export function whenWords(at: Date, now: Date): string {
  const day = dayLabel(at, now)
  return `${day === 'Today' || day === 'Tomorrow' ? day.toLowerCase() : `on ${day}`} at ${clockOf(at)}`
}

const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** "Friday, 6 PM – 7 PM" */
export function hourWords({ weekday, hour }: { weekday: number; hour: number }): string {
  return `${weekdayNames[weekday]}, ${hourName(hour)} – ${hourName((hour + 1) % 24)}`
}

const hourName = (hour: number) => `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'AM' : 'PM'}`
