import type { OpenInterval, SpecialDay, WeeklyHours } from '#contracts/locations.ts'
import { addDays, dayMs, weekdayOf } from '#contracts/time.ts'
import { localTime, momentOf } from './time-zones.ts'

type OpenNow = { isOpen: boolean; changesAt: Date | null; note: string | null }
type Hours = { timeZone: string; hours: WeeklyHours; specialDays: readonly SpecialDay[] }

const weekMs = 7 * dayMs

/**
 * Whether a location is open by its local clock, and when that next changes within a week. Hours that span midnight belong to the day on
 * which they begin, so a holiday doesn't cut off the evening before it. Hours during which the clocks change last an hour less or more.
 */
export function openNow({ timeZone, hours, specialDays }: Hours, now: Date): OpenNow {
  const special = new Map(specialDays.map((day) => [day.day, day]))
  const today = localTime(timeZone, now).date
  const spans: { from: number; to: number }[] = []
  // Yesterday's hours may extend into today, and the next eight days contain a full week from now.
  for (let ahead = -1; ahead <= 8; ahead++) {
    const day = addDays(today, ahead)
    for (const interval of special.get(day)?.intervals ?? hours[weekdayOf(day)] ?? []) {
      const from = momentOf(timeZone, day, interval.opens)
      const to = momentOf(timeZone, day, closingMinute(interval))
      if (to > from) spans.push({ from, to })
    }
  }
  const at = now.getTime()
  const current = joined(spans).find((span) => span.to > at)
  const isOpen = current !== undefined && current.from <= at
  const change = isOpen ? current.to : current?.from
  return {
    isOpen,
    changesAt: change !== undefined && change <= at + weekMs ? new Date(change) : null,
    note: special.get(today)?.note || null,
  }
}

/** In minutes from the start of the day on which the location opens. */
const closingMinute = ({ opens, closes }: OpenInterval): number => (closes <= opens ? closes + 1440 : closes)

function joined(spans: { from: number; to: number }[]): { from: number; to: number }[] {
  const all: { from: number; to: number }[] = []
  for (const span of spans.sort((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else all.push({ ...span })
  }
  return all
}
