import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BusinessEvent, EventAudience } from '#contracts/events.ts'
import { dateFormat, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { cx } from '#web/ui/cx.ts'
import { cardLink } from '#web/ui/link-styles.ts'

type EventRowProps = {
  event: BusinessEvent
  showsBusiness?: boolean
  level?: 2 | 3 | 4
  children?: ReactNode
}

export function EventRow({ event, showsBusiness = false, level = 3, children }: EventRowProps) {
  const Heading = `h${level}` as const
  const place = placeWords(event)
  return (
    <div className="relative flex gap-3.5 rounded-input p-2 hover:bg-sunk has-[.card-link:focus-visible]:outline-2 has-[.card-link:focus-visible]:outline-focus">
      <EventDay event={event} />
      <div className="grid min-w-0 flex-1 content-start gap-1">
        <Heading
          className={cx('font-semibold font-text text-[0.9375rem] tracking-normal wrap-anywhere', event.canceledAt && 'line-through')}
        >
          <Link to="/events/$id" params={{ id: event.id }} className={cardLink}>
            {event.title}
          </Link>
        </Heading>
        <p className="text-muted text-sm">
          {showsBusiness && <span className="font-medium text-ink">{event.business.name} · </span>}
          <time dateTime={event.startsAt}>{whenWords(event, new Date())}</time>
        </p>
        {event.isLocked ? (
          <p className="flex items-center gap-1.5 text-muted text-sm">
            <Lock aria-hidden="true" className="size-4 shrink-0" />
            For {audienceNames[event.audience].replace(/^S/, 's')}
          </p>
        ) : (
          <p className="text-muted text-sm wrap-anywhere">
            {place}
            {event.goingCount > 0 && <span className="block tabular-nums">{seatWords(event)}</span>}
          </p>
        )}
        <EventBadges event={event} className="mt-0.5" />
        {children && <div className="relative z-1 mt-1.5 flex flex-wrap gap-2">{children}</div>}
      </div>
    </div>
  )
}

export function EventBadges({ event, className }: { event: BusinessEvent; className?: string }) {
  const { canceledAt, isGoing, isLocked, audience, moderation } = event
  const isPast = isOver(event)
  return (
    <div className={cx('flex flex-wrap gap-1.5 empty:hidden', className)}>
      {canceledAt && <Badge variant="clay">Canceled</Badge>}
      {isPast && !canceledAt && <Badge variant="outline">Over</Badge>}
      {isGoing && !canceledAt && !isPast && <Badge variant="leaf">You’re going</Badge>}
      {audience !== 'everyone' && !isLocked && <Badge variant="outline">{audienceNames[audience]}</Badge>}
      {moderation && <Badge variant="clay">{moderation === 'held' ? 'Held for review' : 'Hidden by moderators'}</Badge>}
    </div>
  )
}

/** Decorative, because the text next to it repeats the date. */
export function EventDay({ event }: { event: BusinessEvent }) {
  const { month, day } = dayParts(event)
  return (
    <span
      aria-hidden="true"
      className="grid h-13 w-12 shrink-0 content-center justify-items-center rounded-input border border-line bg-surface leading-none"
    >
      <span className="font-medium text-leaf text-xs">{month}</span>
      <span className="mt-1 font-display text-lg tabular-nums">{day}</span>
    </span>
  )
}

const audienceNames: Record<EventAudience, string> = { everyone: 'Everyone', subscribers: 'Subscribers', vip: 'VIP members' }

export const isOver = ({ endsAt }: Pick<BusinessEvent, 'endsAt'>, now = Date.now()): boolean => Date.parse(endsAt) <= now

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
  const ends = new Date(endsAt)
  // Within one day, `formatRange` shows only the zone of the end, which differs if the clocks change in between.
  const zoneAt = (at: Date) => format.format(at).split(' ').at(-1)
  return zoneAt(starts) === zoneAt(ends) ? format.formatRange(starts, ends) : `${format.format(starts)} – ${format.format(ends)}`
}

/** "Mar" and "20": the start date in the event's time zone. */
export const dayParts = ({ startsAt, timeZone }: Pick<Times, 'startsAt' | 'timeZone'>): { month: string; day: string } => ({
  month: dateFormat({ month: 'short', timeZone }).format(new Date(startsAt)),
  day: dateFormat({ day: 'numeric', timeZone }).format(new Date(startsAt)),
})

/** "Creek Hall, 12 Pearl St, Boulder, CO"; null if hidden from the viewer. */
export const placeWords = ({ place }: Pick<BusinessEvent, 'place'>): string | null =>
  place && [place.venue, place.address, place.city].filter(Boolean).join(', ')

/** "12 going", "12 going · 28 seats left" or "40 going · Full". */
export function seatWords({ goingCount, capacity }: Pick<BusinessEvent, 'goingCount' | 'capacity'>): string {
  const going = `${formatNumber(goingCount)} going`
  if (capacity === null) return going
  const left = capacity - goingCount
  if (left <= 0) return `${going} · Full`
  return `${going} · ${formatNumber(left)} ${left === 1 ? 'seat' : 'seats'} left`
}
