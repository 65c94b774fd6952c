import type { BusinessEvent, EventAudience } from '#contracts/events.ts'
import { dateFormat, formatNumber } from '#web/lib/format.ts'

export const audienceNames: Record<EventAudience, string> = { everyone: 'Everyone', subscribers: 'Subscribers', vip: 'VIP members' }

type Times = Pick<BusinessEvent, 'startsAt' | 'endsAt' | 'timeZone'>

/** "Sat, Mar 20, 6:00 – 8:00 PM PDT", in the event's time zone. */
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

/** "Mar" and "20": the start date in the event's time zone. */
export const dayParts = ({ startsAt, timeZone }: Pick<Times, 'startsAt' | 'timeZone'>): { month: string; day: string } => ({
  month: dateFormat({ month: 'short', timeZone }).format(new Date(startsAt)),
  day: dateFormat({ day: 'numeric', timeZone }).format(new Date(startsAt)),
})

/** "Creek Hall, 12 Pearl St, Boulder, CO"; null if the place is hidden from the viewer. */
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
