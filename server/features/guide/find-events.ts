import type { BusinessEvent } from '#contracts/events.ts'
import { listBusinessEvents, listEvents } from '#server/features/events/index.ts'
import { guessTimeZone } from '#server/features/locations/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { addDays, weekdayOf } from '#server/kernel/opening-hours.ts'
import { localTime } from '#server/kernel/time-zones.ts'
import { mayBeNamed } from './boundaries.ts'
import type { Where } from './find-places.ts'
import type { Finding } from './find-records.ts'
import { type Found, plainName } from './find-records.ts'
import type { Asked } from './question.ts'
import { dayName, resolveTime } from './question-time.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

const maxEvents = 5
const readsUpTo = 50

/** Events of businesses at a place, or of one business, on the days that were asked for. */
export async function findEvents(
  ctx: Ctx,
  actor: Actor,
  asked: Asked,
  at: { where: Where } | { business: { id: string; name: string } },
): Promise<Finding> {
  const isOf = 'business' in at
  const { items } = isOf
    ? await listBusinessEvents(ctx, actor, at.business.id, { limit: readsUpTo })
    : await listEvents(ctx, actor, { near: at.where.label, limit: readsUpTo })
  const zone = isOf ? (items[0]?.timeZone ?? 'UTC') : guessTimeZone({ country: 'US', state: at.where.state })
  const { from, to, words } = windowOf(asked, zone, ctx.clock.now())
  const events = items.filter((event) => {
    const { date } = localTime(event.timeZone, new Date(event.startsAt))
    const isThere = isOf || !at.where.isInside || event.place?.city === at.where.label
    return event.canceledAt === null && isThere && date >= from && date <= to && mayBeNamed(`${event.title}. ${event.business.name}`)
  })
  const there = isOf ? `at ${plainName(at.business.name)}` : `${at.where.isInside ? 'in' : 'near'} ${at.where.label}`
  if (events.length === 0) return { unknown: `I found no events ${there}${words}.`, more: [] }
  return {
    lead: `Events ${there}${words}:`,
    found: events.slice(0, maxEvents).map(foundEvent),
    more: [],
    isPrivate: isOf ? false : at.where.isHome,
  }
}

function foundEvent({ id, title, startsAt, timeZone, business, place }: BusinessEvent): Found {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  })
  const when = format.format(new Date(startsAt)).replace(':00', '')
  return { title: plainName(title), path: `/events/${id}`, fact: `${when}, ${plainName(business.name)}${place ? ` in ${place.city}` : ''}` }
}

/** The days that a question names, by the clock of the place; all if it names none. */
function windowOf({ text, time }: Asked, zone: string, now: Date): { from: string; to: string; words: string } {
  const today = localTime(zone, now).date
  if (/\bweekend\b/.test(text)) {
    const weekday = weekdayOf(today)
    return { from: addDays(today, Math.max(0, 5 - weekday)), to: addDays(today, 6 - weekday), words: ' this weekend' }
  }
  if (time && time.kind !== 'always' && time.kind !== 'now') {
    const resolved = resolveTime(time, zone, now)
    const date = 'date' in resolved ? resolved.date : localTime(zone, resolved.instant).date
    return { from: date, to: date, words: date === today ? ' today' : ` on ${dayName(date)}` }
  }
  if (/\bweek\b/.test(text)) return { from: today, to: addDays(today, 7), words: ' this week' }
  if (/\bmonth\b/.test(text)) return { from: today, to: addDays(today, 31), words: ' this month' }
  return { from: today, to: '9999-12-31', words: '' }
}
