import type { BusinessEvent, EventAudience } from '../../../contracts/events.ts'
import { dateFormat, formatNumber } from '../../lib/format.ts'

/** Whom it is for, as a badge says. */
export const audienceNames: Record<EventAudience, string> = { everyone: 'Everyone', subscribers: 'Subscribers', vip: 'VIP members' }

type Times = Pick<BusinessEvent, 'startsAt' | 'endsAt' | 'timeZone'>

/** "Sat, Mar 20, 6:00 – 8:00 PM PDT", on the clock of the event. */
export function whenWords({ startsAt, endsAt, timeZone }: Times, now: Date): string {
  const starts = new Date(startsAt)
  const format = dateFormat({
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(starts.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  })
  return format.formatRange(starts, new Date(endsAt))
}

/** "Mar" and "20": the day on which it begins there. */
export const dayParts = ({ startsAt, timeZone }: Pick<Times, 'startsAt' | 'timeZone'>): { month: string; day: string } => ({
  month: dateFormat({ month: 'short', timeZone }).format(new Date(startsAt)),
  day: dateFormat({ day: 'numeric', timeZone }).format(new Date(startsAt)),
})

/** "Creek Hall, 12 Pearl St, Boulder, CO"; null where the place is withheld. */
export const placeWords = ({ place }: Pick<BusinessEvent, 'place'>): string | null =>
  place && [place.venue, place.address, place.city].filter(Boolean).join(', ')

/** "12 going", "12 going · 28 seats left", "40 going · Full". */
export function seatWords({ goingCount, capacity }: Pick<BusinessEvent, 'goingCount' | 'capacity'>): string {
  const going = `${formatNumber(goingCount)} going`
  if (capacity === null) return going
  const left = capacity - goingCount
  if (left <= 0) return `${going} · Full`
  return `${going} · ${formatNumber(left)} ${left === 1 ? 'seat' : 'seats'} left`
}

/** "2027-03-20T18:00": what a clock on the wall there shows, as an input of a browser takes it. */
export function localTime(time: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(time))
  const { year, month, day, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return `${year}-${month}-${day}T${hour}:${minute}`
}

/** What the same clock shows so many minutes later. */
export const laterBy = (local: string, minutes: number): string =>
  new Date(Date.parse(`${local}:00Z`) + minutes * 60_000).toISOString().slice(0, 16)
