import { businessTypeLabels, businessTypePluralLabels } from '#contracts/business-types.ts'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { GuideLink } from '#contracts/guide.endpoints.ts'
import { listBusinesses } from '#server/features/businesses/index.ts'
import { guessTimeZone } from '#server/features/locations/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { localTime } from '#server/kernel/time-zones.ts'
import type { Finding } from './find-records.ts'
import { type Found, onlyVisible, plainName, ratingOf } from './find-records.ts'
import type { Asked, AskedPlace } from './question.ts'
import { clockTime, dayName, type ResolvedTime, resolveTime } from './question-time.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** Where a question looks: a place that it names, or the person's own. */
export type Where = AskedPlace & { isHome: boolean }

const maxPlaces = 5
/** Some may be blocked, out of business or named like a cure. */
const readsUpTo = 30
const radiusMiles = 25

/** Businesses of a type at a place, open when asked for, or the honest answer that there are none. */
export async function findPlaces(ctx: Ctx, actor: Actor, asked: Asked, where: Where): Promise<Finding> {
  const type = asked.type ?? (asked.time || asked.isNearMe ? 'dispensary' : undefined)
  const what = (type ? businessTypePluralLabels[type] : 'Businesses').toLowerCase()
  const kind = type === 'food_service' ? 'lounges or restaurants' : type === 'delivery' ? 'delivery services' : what
  if (asked.time?.kind === 'always')
    return { unknown: 'I don’t know which places are open 24 hours.', more: [discover(asked, where, type)] }

  const now = ctx.clock.now()
  const zone = guessTimeZone({ country: 'US', state: where.state })
  // "Open dispensaries", but not "when do dispensaries open".
  const isOpenWanted = /\bopen\b/.test(asked.text) && !/\b(?:when|what time|hours)\b/.test(asked.text)
  const wanted = asked.time ?? (isOpenWanted ? ({ kind: 'now' } as const) : null)
  const time = wanted && resolveTime(wanted, zone, now)
  const at = time && 'instant' in time ? time.instant : now
  const isState = where.kind === 'state'
  const sort = asked.sort === 'rating' || isState || !asked.isNearMe ? ('highest_rated' as const) : ('distance' as const)
  const { items } = await listBusinesses(
    ctx.db,
    {
      near: isState ? where.label : `${where.latitude},${where.longitude}`,
      radius: radiusMiles,
      sort,
      limit: readsUpTo,
      ...(type ? { type } : {}),
      ...(where.isInside ? { city: where.name } : {}),
      ...(time && 'instant' in time ? { open: true } : {}),
      ...(time && 'date' in time ? { openOn: time.date } : {}),
      ...(asked.aspect === 'license' ? { verified: true } : {}),
    },
    at,
  )
  const isRunning = ({ licenseStanding }: BusinessSummary) => licenseStanding !== 'inactive' && licenseStanding !== 'missing'
  const places = (await onlyVisible(ctx, actor.id, items.filter(isRunning))).slice(0, maxPlaces)
  const there = `${where.isInside ? 'in' : isState ? 'in' : 'near'} ${where.label}`
  const more = [discover({ ...asked, time: wanted }, where, type)]
  if (places.length === 0) {
    return { unknown: `I found no ${kind} ${there}${time ? ` that I know to be open ${time.words}` : ''}.`, more }
  }
  return {
    lead: `${capital(kind)} ${there}${time ? ` open ${time.words}` : ''}${sort === 'distance' ? ', nearest first' : ''}:`,
    found: places.map((place) => foundPlace(where.isInside ? { ...place, distanceMiles: null } : place, time, at)),
    more,
    isPrivate: where.isHome,
  }
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

function foundPlace(place: BusinessSummary, time: ResolvedTime | null, at: Date): Found {
  const { name, slug, type, location, distanceMiles } = place
  const facts = [
    `${businessTypeLabels[type].toLowerCase()}${location ? ` in ${location}` : ''}`,
    time && 'date' in time ? null : openWords(place, at, time?.words ?? 'now'),
    distanceMiles === null ? null : milesWords(distanceMiles),
    ratingOf(place),
  ]
  return { title: plainName(name), path: `/business/${slug}`, fact: facts.filter(Boolean).join(', ') }
}

/** "Open until 8 PM", "closed, opens at 10 AM on Saturday"; null if the hours aren't stated. */
export function openWords({ openNow, timeZone }: Pick<BusinessSummary, 'openNow' | 'timeZone'>, at: Date, when = 'now'): string | null {
  if (!openNow || !timeZone) return null
  const change = openNow.changesAt && new Date(openNow.changesAt)
  if (!change) return openNow.isOpen ? `open ${when}` : `closed ${when}`
  const time = clockTime(timeZone, change)
  if (openNow.isOpen) return `open ${when}, until ${time}`
  const { date } = localTime(timeZone, change)
  return `closed ${when}, opens at ${time}${date === localTime(timeZone, at).date ? '' : ` on ${dayName(date)}`}`
}

export const milesWords = (miles: number): string => `${miles.toFixed(1)} ${miles === 1 ? 'mile' : 'miles'} away`

/** The list on Discover, with the filters that the answer used. */
function discover(asked: Asked, where: Where, type: Asked['type'] | undefined): GuideLink {
  const isOpen = asked.time?.kind === 'now'
  const params = new URLSearchParams({
    ...(where.kind === 'state' ? { state: where.state } : { near: where.label }),
    ...(type ? { type } : {}),
    ...(isOpen ? { open: 'true' } : {}),
    ...(asked.sort === 'distance' && where.kind !== 'state' ? { sort: 'distance' } : {}),
  })
  const what = type ? businessTypePluralLabels[type] : 'Businesses'
  return {
    title: `${what} ${where.kind === 'state' ? 'in' : 'near'} ${where.label}${isOpen ? ', open now' : ''}`,
    path: `/discover?${params}`,
  }
}
