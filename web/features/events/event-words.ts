import type { BusinessEvent, EventAudience } from '../../../contracts/events.ts'
import { dateFormat, formatNumber } from '../../lib/format.ts'

/** Whom it is for, as a badge says. */
export const audienceNames: Record<EventAudience, string> = { everyone: 'Everyone', subscribers: 'Subscribers', vip: 'VIP members' }

type Times = Pick<BusinessEvent, 'startsAt' | 'endsAt' | 'timeZone'>

/** "Sat, Mar 20, 6:00 – 8:00 PM PDT", on the clock of the event. */
export function whenWords({ startsAt, endsAt, timeZone }: Times, now: Date): string {
  const starts = new Date(startsAt)
  const year = dateFormat({ year: 'numeric', timeZone })
  const format = dateFormat({
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(year.format(starts) === year.format(now) ? {} : { year: 'numeric' }),
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
