import { phoneLink } from '#contracts/addresses.ts'
import { type Amenity, amenityLabels } from '#contracts/amenities.ts'
import type { Business, Closure, License } from '#contracts/businesses.ts'
import type { BusinessEvent } from '#contracts/events.ts'
import type { GuideLink } from '#contracts/guide.endpoints.ts'
import type { Location, WeeklyHours } from '#contracts/locations.ts'
import { shortPrice } from '#contracts/money.rules.ts'
import { addDays, weekdayOf } from '#contracts/time.ts'
import { milesTo } from '#server/features/businesses/index.ts'
import { listBusinessEvents, listEvents } from '#server/features/events/index.ts'
import { loadLocations } from '#server/features/locations/index.ts'
import { menuPage, menuSummary } from '#server/features/menus/index.ts'
import { type Actor, ageOf } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { firstUuid } from '#server/kernel/ids.ts'
import { encodeCursor, type Page } from '#server/kernel/keyset.ts'
import { openNow } from '#server/kernel/opening-hours.ts'
import { guessTimeZone, localTime } from '#server/kernel/time-zones.ts'
import { isSafeItemName, isSafeName } from './boundaries.ts'
import {
  areaOf,
  distanceWords,
  type Finding,
  type FoundRecord,
  foundBusiness,
  openWords,
  type PlaceToSearch,
  plainName,
  ratingOf,
} from './find-records.ts'
import type { ParsedQuestion } from './question.ts'
import { type Aspect, dateWords, dayName, minuteWords, resolveTime } from './question-words.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** Answers with a fact from the business's page, or says that the page doesn't state it. */
export async function findBusiness(
  ctx: Ctx,
  actor: Actor,
  business: Business,
  asked: ParsedQuestion,
  home: PlaceToSearch | null,
): Promise<Finding> {
  const now = ctx.clock.now()
  const name = plainName(business.name)
  const link = { title: name, path: `/business/${business.slug}` }
  const aspect: Aspect | 'about' = asked.aspect ?? (asked.time ? 'hours' : asked.amenities.length > 0 ? 'amenity' : 'about')
  const fact = await factOf(ctx, actor, business, aspect, asked, home, now)
  if (fact === null) return { unknown: `I don’t know ${missing[aspect]} ${name}${aspect === 'delivery' ? ' delivers' : ''}.`, more: [link] }
  const isContact = aspect === 'phone' || aspect === 'address' || aspect === 'website' || aspect === 'distance'
  return { lead: '', found: [{ ...link, fact }], more: contactLinks(aspect, business, name), isPrivate: isContact }
}

function contactLinks(aspect: Aspect | 'about', { phone, website }: Business, name: string): GuideLink[] {
  if (aspect === 'phone' && phone) return [{ title: `Call ${name}`, path: phoneLink(phone) }]
  if (aspect === 'website' && website && /^https?:\/\//.test(website)) return [{ title: `Website of ${name}`, path: website }]
  return []
}

const missing: Record<Aspect | 'about', string> = {
  hours: 'the hours of',
  phone: 'the phone number of',
  address: 'the address of',
  website: 'the website of',
  menu: 'what’s on the menu at',
  license: 'the license of',
  rating: 'the rating for',
  delivery: 'whether',
  distance: 'how far it is to',
  amenity: 'that about',
  about: 'more about',
}

async function factOf(
  ctx: Ctx,
  actor: Actor,
  business: Business,
  aspect: Aspect | 'about',
  asked: ParsedQuestion,
  home: PlaceToSearch | null,
  now: Date,
): Promise<string | null> {
  switch (aspect) {
    case 'hours': {
      if (business.closure) return closedWords(business.closure)
      const location = (await loadLocations(ctx.db, business.id, now)).find(({ isMain }) => isMain)
      return location?.hours ? hoursFact(location, location.hours, asked, now) + licenseWarning(business) : null
    }
    case 'phone':
      return business.phone
    case 'address':
      return business.address
        ? [business.address, business.location].filter(Boolean).join(', ')
        : business.location && `in ${business.location}`
    case 'website':
      return business.website
    case 'menu':
      return menuFact(ctx, actor, business, now)
    case 'license':
      return licenseFact(business)
    case 'rating':
      return ratingOf(business)
    case 'delivery':
      return business.type === 'delivery'
        ? `a delivery service${business.location ? ` in ${business.location}` : ''}`
        : amenityFact(business, ['delivery'])
    case 'distance': {
      const miles = home && milesTo(business.pin, home)
      return business.pin && home && miles !== null
        ? `${distanceWords(miles, business.pin.precision, home.distanceUnit)} from the center of ${home.label}`
        : null
    }
    case 'amenity':
      return amenityFact(business, /\bamenit/.test(asked.text) ? business.amenities : asked.amenities)
    case 'about': {
      const open = business.closure ? closedWords(business.closure) : openWords(business, now)
      return `${foundBusiness(business).fact}${open ? `, ${open}` : ''}${licenseWarning(business)}`
    }
  }
}

/** Null if the page lists none of the wanted amenities, which doesn't mean that the business lacks them. */
function amenityFact({ amenities }: Business, wanted: readonly Amenity[]): string | null {
  const listed = wanted.filter((each) => amenities.includes(each))
  if (listed.length === 0) return null
  const others = wanted.filter((each) => !amenities.includes(each))
  return `its page lists ${labelsOf(listed)}${others.length > 0 ? `, but not ${labelsOf(others)}` : ''}`
}

// British English, because American lists have a comma before the last part, and the app's sentences don't.
const list = new Intl.ListFormat('en-GB')
const labelsOf = (some: readonly Amenity[]): string => list.format(some.map((each) => `“${amenityLabels[each]}”`))

function closedWords({ kind, reopensOn }: Closure): string {
  if (kind === 'permanent') return 'permanently closed'
  return `temporarily closed${reopensOn ? `, planning to reopen on ${dateWords(reopensOn)}` : ''}`
}

function hoursFact(location: Location, hours: WeeklyHours, asked: ParsedQuestion, now: Date): string {
  const { timeZone, specialDays } = location
  if (!asked.time || asked.time.kind === 'always' || asked.time.kind === 'now') {
    const open = openWords({ openNow: location.openNow, timeZone }, now)
    return [open, weekWords(hours)].filter(Boolean).join('; ')
  }
  const time = resolveTime(asked.time, timeZone, now)
  if ('date' in time) return `${dayWords(hours, specialDays, time.date)} ${time.words}`
  const { changesAt, note, ...state } = openNow({ timeZone, hours, specialDays }, time.instant)
  const words = openWords({ openNow: { ...state, note, changesAt: changesAt?.toISOString() ?? null }, timeZone }, time.instant, time.words)
  return [words, weekWords(hours)].filter(Boolean).join('; ')
}

function dayWords(hours: WeeklyHours, specialDays: Location['specialDays'], date: string): string {
  const intervals = specialDays.find(({ day }) => day === date)?.intervals ?? hours[weekdayOf(date)] ?? []
  return intervals.length === 0 ? 'closed' : `open ${spans(intervals)}`
}

const spans = (intervals: WeeklyHours[number]): string =>
  intervals.map(({ opens, closes }) => `${minuteWords(opens)}–${minuteWords(closes)}`).join(' and ')

/** "Monday–Saturday 10 AM–8 PM, Sunday closed". */
function weekWords(hours: WeeklyHours): string {
  const days = hours.map((intervals) => (intervals.length === 0 ? 'closed' : spans(intervals)))
  const runs: { from: number; to: number; words: string }[] = []
  days.forEach((words, day) => {
    const last = runs.at(-1)
    if (last?.words === words) last.to = day
    else runs.push({ from: day, to: day, words })
  })
  if (runs.length === 1) return `daily ${runs[0]?.words}`
  // January 5, 2026 is a Monday.
  const name = (day: number) => dayName(addDays('2026-01-05', day))
  return runs.map(({ from, to, words }) => `${name(from)}${to > from ? `–${name(to)}` : ''} ${words}`).join(', ')
}

const maxNames = 5

async function menuFact({ db }: Ctx, actor: Actor, business: Business, now: Date): Promise<string | null> {
  // Prices don't apply while the business is closed.
  if (business.closure) return closedWords(business.closure)
  const { minimumAge } = business.productAge
  const age = ageOf(actor, now)
  if (age === null || age < minimumAge) return `you must be ${minimumAge} or older to see its menu`
  const { itemCount } = await menuSummary(db, business.id, null, now)
  if (itemCount === 0) return null
  const { items } = await menuPage(db, business.id, { limit: maxNames * 2 }, now)
  const names = items
    .filter(({ name, isAvailable }) => isAvailable && isSafeItemName(name))
    .map(({ name, price, currency }) => `${plainName(name)} ${shortPrice(price, currency)}`)
    .slice(0, maxNames)
  return `${itemCount} ${itemCount === 1 ? 'item' : 'items'}${names.length > 0 ? `, including ${names.join(', ')}` : ''}`
}

function licenseFact({ licenses, licenseStanding, isLicenseVerified, verification }: Business): string | null {
  if (isLicenseVerified && verification.licenseNumber) {
    return `license ${verification.licenseNumber} is verified${verification.expiresOn ? `, valid until ${dateWords(verification.expiresOn)}` : ''}`
  }
  const [license] = licenses
  if (licenseStanding === 'inactive') return `the register lists its license${numberOf(license)} as inactive`
  if (licenseStanding === 'missing') return `its license${numberOf(license)} isn’t in the latest list from the register`
  if (licenseStanding === 'listed') {
    const asOf = license?.sourceDate ? `, as of ${dateWords(license.sourceDate)}` : ''
    return `its license${numberOf(license)} is listed in the register${license?.authority ? ` of the ${license.authority}` : ''}${asOf}`
  }
  return null
}

const licenseWarning = (business: Business): string =>
  business.licenseStanding === 'inactive' || business.licenseStanding === 'missing' ? `; ${licenseFact(business)}` : ''

const numberOf = (license: License | undefined) => (license?.licenseNumber ? ` ${license.licenseNumber}` : '')

const maxEvents = 5
const eventsPerPage = 50
/** Bounds the work if most events are canceled, are in another city or have names that sound like a cure. */
const maxPages = 6

/** A cursor before every event that begins on this date in any time zone. */
const cursorBefore = (date: string): string => encodeCursor([`${addDays(date, -1)}T00:00:00.000Z`, firstUuid])

export async function findEvents(
  ctx: Ctx,
  actor: Actor,
  asked: ParsedQuestion,
  at: { where: PlaceToSearch } | { business: { id: string; name: string } },
): Promise<Finding> {
  const isOf = 'business' in at
  const read = (page: { limit: number; cursor?: string }) =>
    isOf ? listBusinessEvents(ctx, actor, at.business.id, page) : listEvents(ctx, actor, { near: at.where.label, ...page })
  const zone = isOf ? ((await read({ limit: 1 })).items[0]?.timeZone ?? 'UTC') : guessTimeZone(areaOf(at.where))
  const { from, to, words } = windowOf(asked, zone, ctx.clock.now())
  const events: BusinessEvent[] = []
  let cursor: string | null = cursorBefore(from)
  for (let pages = 0; cursor !== null && events.length < maxEvents && pages < maxPages; pages++) {
    const { items, nextCursor }: Page<BusinessEvent> = await read({ limit: eventsPerPage, cursor })
    const dated = items.map((event) => ({ event, date: localTime(event.timeZone, new Date(event.startsAt)).date }))
    for (const { event, date } of dated) {
      const isThere = isOf || !at.where.isInside || event.place?.city === at.where.label
      const isSafe = isSafeName(`${event.title}. ${event.business.name}`)
      if (event.canceledAt === null && isThere && date >= from && date <= to && isSafe) events.push(event)
    }
    // The soonest come first, but in another time zone, a later event may have an earlier date, so this reads one more day.
    const isOver = addDays(dated.at(-1)?.date ?? from, -1) > to
    cursor = isOver ? null : nextCursor
  }
  const isWithin = !isOf && (at.where.isInside || at.where.kind === 'state')
  const there = isOf ? `at ${plainName(at.business.name)}` : `${isWithin ? 'in' : 'near'} ${at.where.label}`
  const more = isOf ? [] : [allEvents(at.where)]
  if (events.length === 0) return { unknown: `I couldn’t find any events ${there}${words}.`, more }
  return {
    lead: `Events ${there}${words}:`,
    found: events.slice(0, maxEvents).map(foundEvent),
    more,
    isPrivate: isOf ? false : at.where.isHome,
  }
}

const allEvents = ({ label, kind }: PlaceToSearch): GuideLink => ({
  title: `Events ${kind === 'state' ? 'in' : 'near'} ${label}`,
  path: `/events?${new URLSearchParams({ near: label })}`,
})

function foundEvent({ id, title, startsAt, timeZone, business, place }: BusinessEvent): FoundRecord {
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

/** The days that a question names, in the place's time zone; today and every later day if it names none. */
function windowOf({ text, time }: ParsedQuestion, zone: string, now: Date): { from: string; to: string; words: string } {
  const today = localTime(zone, now).date
  const weekday = weekdayOf(today)
  const isNext = /\bnext (?:week|month)/.test(text)
  if (/\bweekend\b/.test(text)) {
    const saturday = addDays(today, 5 - weekday + (isNext ? 7 : 0))
    return { from: saturday < today ? today : saturday, to: addDays(saturday, 1), words: isNext ? ' next weekend' : ' this weekend' }
  }
  if (time && time.kind !== 'always' && time.kind !== 'now') {
    const resolved = resolveTime(time, zone, now)
    const date = 'date' in resolved ? resolved.date : localTime(zone, resolved.instant).date
    return { from: date, to: date, words: date === today ? ' today' : ` on ${dayName(date)}` }
  }
  if (/\bweek\b/.test(text)) {
    const monday = addDays(today, 7 - weekday)
    return isNext
      ? { from: monday, to: addDays(monday, 6), words: ' next week' }
      : { from: today, to: addDays(monday, -1), words: ' this week' }
  }
  if (/\bmonth\b/.test(text)) {
    const next = monthAfter(today)
    return isNext
      ? { from: next, to: addDays(monthAfter(next), -1), words: ' next month' }
      : { from: today, to: addDays(next, -1), words: ' this month' }
  }
  return { from: today, to: '9999-12-31', words: '' }
}

/** The first day of the month after the one that contains `date`. */
const monthAfter = (date: string): string => `${addDays(`${date.slice(0, 7)}-01`, 31).slice(0, 7)}-01`
