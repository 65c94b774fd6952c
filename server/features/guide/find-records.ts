import { businessTypeLabels, businessTypePluralLabels } from '#contracts/business-types.ts'
import { distanceFigure, kilometersPerMile } from '#contracts/businesses.rules.ts'
import type { BusinessSummary, Precision } from '#contracts/businesses.ts'
import type { GuideLink } from '#contracts/guide.endpoints.ts'
import type { DistanceUnit } from '#contracts/settings.ts'
import { listBusinesses } from '#server/features/businesses/index.ts'
import { listCommunities } from '#server/features/communities/index.ts'
import { nameKey, pathOfStrain, suggestStrains } from '#server/features/strains/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { guessTimeZone, localTime } from '#server/kernel/time-zones.ts'
import { isSafeName } from './boundaries.ts'
import type { AskedPlace, ParsedQuestion } from './question.ts'
import { clockTime, dayName, type ResolvedTime, resolveTime } from './question-words.ts'

/** A record the person could find themselves: its name, link and a short fact. */
export type FoundRecord = { title: string; path: string; fact: string }

type Ctx = Pick<Context, 'db' | 'clock'>

const maxCommunities = 3

/** "4.6 stars from 12 ratings". */
export const ratingOf = ({ averageRating, totalRatings }: Pick<BusinessSummary, 'averageRating' | 'totalRatings'>) =>
  totalRatings === 0
    ? 'no ratings yet'
    : `${averageRating.toFixed(1)} stars from ${totalRatings} ${totalRatings === 1 ? 'rating' : 'ratings'}`

/** Gives only name, type, place and ratings, without the text that businesses write about themselves. */
export const foundBusiness = (business: BusinessSummary): FoundRecord => ({
  title: plainName(business.name),
  path: `/business/${business.slug}`,
  fact: `${businessTypeLabels[business.type].toLowerCase()}${business.location ? ` in ${business.location}` : ''}, ${ratingOf(business)}`,
})

export const foundCommunity = ({
  name,
  slug,
  category,
  memberCount,
}: {
  name: string
  slug: string
  category: string
  memberCount: number
}): FoundRecord => ({
  title: plainName(name),
  path: `/communities/${slug}`,
  fact: `community about ${category === 'general' ? 'everything' : category}, ${memberCount} ${memberCount === 1 ? 'member' : 'members'}`,
})

/** One line, without addresses or characters that a page, a model or a person could mistake for more than a name. */
export const plainName = (name: string): string =>
  name
    .replace(/(?:https?:\/\/|www\.)\S*|\S+\.\S+\/\S*/gi, ' ')
    .replace(/[\p{C}<>[\](){}`*_|\\]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80)

const notInForce = new Set<BusinessSummary['licenseStanding']>(['inactive', 'missing'])

/** Excludes businesses that the person has blocked or whose license isn't in force, and names that make health claims. */
export async function onlyRecommendable(ctx: Ctx, actorId: string, businesses: readonly BusinessSummary[]): Promise<BusinessSummary[]> {
  if (businesses.length === 0) return []
  const blocked = await ctx.db
    .selectFrom('business_blocks')
    .select('business_id')
    .where('user_id', '=', actorId)
    .where(
      'business_id',
      'in',
      businesses.map(({ id }) => id),
    )
    .execute()
  const hidden = new Set(blocked.map(({ business_id }) => business_id))
  return businesses.filter(({ id, name, licenseStanding }) => !hidden.has(id) && !notInForce.has(licenseStanding) && isSafeName(name))
}

export async function findCommunities({ db, clock }: Ctx, actor: Actor, { topic, words }: ParsedQuestion): Promise<FoundRecord[]> {
  const list = (q: string, inCategory: typeof topic) =>
    listCommunities(db, actor, { q, sort: 'featured', limit: maxCommunities, category: inCategory ?? undefined }, clock.now())
  const q = words.join(' ').slice(0, 80)
  const named = q === '' ? [] : (await list(q, null)).items
  const items = named.length > 0 ? named : topic ? (await list('', topic)).items : []
  return items.filter(({ name }) => isSafeName(name)).map(foundCommunity)
}

/** The strain list's entry for a strain: its type and breeder, never effects. */
export function findStrain(words: readonly string[]): FoundRecord | null {
  if (words.length === 0 || words.length > 5) return null
  const asked = nameKey(words.join(' '))
  const strain = suggestStrains(asked, 5).find(({ name }) => nameKey(name) === asked)
  if (!strain) return null
  const facts = [strain.type?.toLowerCase(), strain.breeder && `bred by ${plainName(strain.breeder)}`].filter(Boolean)
  return {
    title: plainName(strain.name),
    path: pathOfStrain(strain.name) ?? `/search?q=${encodeURIComponent(strain.name)}`,
    fact: `a strain in our list${facts.length > 0 ? `: ${facts.join(', ')}` : ''}`,
  }
}

/** The guide's findings, or one line on what the guide can't answer. */
export type Finding =
  | {
      lead: string
      found: FoundRecord[]
      /** Further links, usually the list behind the answer with the filters that it used. */
      more: GuideLink[]
      /** Reveals where or how old the person is, or how to reach someone, so a language model doesn't get it. */
      isPrivate: boolean
    }
  | { unknown: string; more: GuideLink[] }

/** A place that the question names, or the person's own. */
export type PlaceToSearch = AskedPlace & { isHome: boolean; distanceUnit: DistanceUnit }

/** For `guessTimeZone`. */
export const areaOf = ({ kind, name, state }: AskedPlace) => ({
  country: 'US',
  state,
  city: kind === 'city' ? name : null,
  zip: kind === 'zip' ? name : null,
})

const maxPlaces = 5
/** More than `maxPlaces`, because some businesses are left out: see `onlyRecommendable`. */
const readsUpTo = 30
const radiusMiles = 25

export async function findPlaces(ctx: Ctx, actor: Actor, asked: ParsedQuestion, where: PlaceToSearch): Promise<Finding> {
  const type = asked.type ?? (asked.time || asked.isNearMe ? 'dispensary' : undefined)
  const what = (type ? businessTypePluralLabels[type] : 'Businesses').toLowerCase()
  const kind = type === 'food_service' ? 'lounges or restaurants' : type === 'delivery' ? 'delivery services' : what
  if (asked.time?.kind === 'always')
    return { unknown: 'I don’t know which places are open 24 hours.', more: [discover(asked, where, type)] }
  const there = `${where.isInside || where.kind === 'state' ? 'in' : 'near'} ${where.label}`
  // Many listings don't state hours, so the first known to open may not be the first.
  if (asked.sort === 'hours')
    return { unknown: `I don’t know which places ${there} open first or close last.`, more: [discover(asked, where, type)] }

  const now = ctx.clock.now()
  const zone = guessTimeZone(areaOf(where))
  // "Open dispensaries", but not "when do dispensaries open".
  const isOpenWanted = /\bopen\b/.test(asked.text) && !/\b(?:when|what time|hours)\b/.test(asked.text)
  const wanted = asked.time ?? (isOpenWanted ? ({ kind: 'now' } as const) : null)
  const time = wanted && resolveTime(wanted, zone, now)
  const at = time && 'instant' in time ? time.instant : now
  const isState = where.kind === 'state'
  const sort = sortOf(asked, where)
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
  const places = (await onlyRecommendable(ctx, actor.id, items)).slice(0, maxPlaces)
  const more = [discover({ ...asked, time: wanted }, where, type)]
  if (places.length === 0) {
    return { unknown: `I couldn’t find any ${kind} ${there}${time ? ` that I know are open ${time.words}` : ''}.`, more }
  }
  return {
    lead: `${capital(kind)} ${there}${time ? ` open ${time.words}` : ''}${sort === 'distance' ? ', nearest first' : ''}:`,
    found: places.map((place) => foundPlace(place, where, time, at)),
    more,
    isPrivate: where.isHome,
  }
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

function foundPlace(place: BusinessSummary, where: PlaceToSearch, time: ResolvedTime | null, at: Date): FoundRecord {
  const { name, slug, type, location, distanceMiles, pin } = place
  const facts = [
    `${businessTypeLabels[type].toLowerCase()}${location ? ` in ${location}` : ''}`,
    time && 'date' in time ? null : openWords(place, at, time?.words ?? 'now'),
    distanceMiles === null || where.isInside ? null : distanceWords(distanceMiles, pin?.precision ?? null, where.distanceUnit),
    ratingOf(place),
  ]
  return { title: plainName(name), path: `/business/${slug}`, fact: facts.filter(Boolean).join(', ') }
}

/** "open now, until 8 PM", "closed now, opens at 10 AM on Saturday"; null if the hours aren't stated. */
export function openWords({ openNow, timeZone }: Pick<BusinessSummary, 'openNow' | 'timeZone'>, at: Date, when = 'now'): string | null {
  if (!openNow || !timeZone) return null
  const change = openNow.changesAt && new Date(openNow.changesAt)
  if (!change) return openNow.isOpen ? `open ${when}` : `closed ${when}`
  const time = clockTime(timeZone, change)
  if (openNow.isOpen) return `open ${when}, until ${time}`
  const { date } = localTime(timeZone, change)
  return `closed ${when}, opens at ${time}${date === localTime(timeZone, at).date ? '' : ` on ${dayName(date)}`}`
}

const tenths = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const whole = new Intl.NumberFormat('en-US')

/** "about 2 mi away". Rounds miles to tenths first, like the distances on pages. */
export function distanceWords(miles: number, precision: Precision | null, unit: DistanceUnit): string {
  const rounded = Math.round(miles * 10) / 10
  const distance = unit === 'mi' ? rounded : rounded * kilometersPerMile
  return `${distanceFigure(distance, precision, { tenths: tenths.format, whole: whole.format })} ${unit} away`
}

/** Near the person, the nearest come first, unless the question asks for the best. A state has no center to measure from. */
const sortOf = (asked: ParsedQuestion, { kind }: PlaceToSearch) =>
  asked.sort === 'rating' || kind === 'state' || !asked.isNearMe ? ('highest_rated' as const) : ('distance' as const)

function discover(asked: ParsedQuestion, where: PlaceToSearch, type: ParsedQuestion['type'] | undefined): GuideLink {
  const isOpen = asked.time?.kind === 'now'
  const params = new URLSearchParams({
    ...(where.kind === 'state' ? { state: where.state } : { near: where.label }),
    ...(type ? { type } : {}),
    ...(isOpen ? { open: 'true' } : {}),
    ...(asked.aspect === 'license' ? { verified: 'true' } : {}),
    ...(sortOf(asked, where) === 'distance' ? { sort: 'distance' } : {}),
  })
  const what = type ? businessTypePluralLabels[type] : 'Businesses'
  return {
    title: `${what} ${where.kind === 'state' ? 'in' : 'near'} ${where.label}${isOpen ? ', open now' : ''}`,
    path: `/discover?${params}`,
  }
}
