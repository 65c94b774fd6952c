import type { BusinessType } from '#contracts/business-types.ts'
import type { Location, LocationDetails, LocationEdit, OpenInterval, WeeklyHours } from '#contracts/locations.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { businessEntitlements } from '#server/features/billing/index.ts'
import { lockBusiness, type Pin, readLocation, setBusinessPlace } from '#server/features/businesses/index.ts'
import { businessWords, requireClean } from '#server/features/screening/index.ts'
import { requirePermission, type TeamBusiness } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { distanceMiles } from '#server/kernel/geo/distance.ts'
import { findZip } from '#server/kernel/geo/gazetteer.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { isTimeZone } from '#server/kernel/time-zones.ts'
import {
  loadLocations,
  locationIds,
  lockLocations,
  pinOf,
  replaceHours,
  replaceSpecialDays,
  type StoredPlace,
  storedPlace,
} from './locations.view.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    /** Sale periods begin and end in the main location's time zone. */
    'location.zone-changed': { businessId: string }
  }
}

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events'>

export function addLocation(
  ctx: Ctx,
  actor: Actor,
  idOrSlug: string,
  details: LocationDetails,
  idempotency: IdempotencyKey | null,
): Promise<Location> {
  const now = ctx.clock.now()
  return changeLocations(ctx, actor, idOrSlug, (tx, business) =>
    once(tx, actor.id, idempotency, now, async () => {
      await requireLocationRoom(tx, business.id, now)
      await requireCleanDetails(tx, ctx, actor, business.id, undefined, details)
      const type = business.type as BusinessType
      const id = newId()
      await tx
        .insertInto('locations')
        .values({ id, business_id: business.id, ...columns(details, readDetails(details, type), type), created_at: now, updated_at: now })
        .execute()
      await writeTimes(tx, id, details)
      return (await findLocation(tx, business.id, id, now)) as Location
    }),
  )
}

/**
 * A change to the main location's address or pin also changes the business, which search uses. An edit of an outdated version is accepted
 * only if it changes nothing, as when a client repeats it.
 * @throws AppError not_found, forbidden, invalid_input, conflict
 */
export async function saveLocation(
  ctx: Ctx,
  actor: Actor,
  idOrSlug: string,
  id: string,
  { version, ...details }: LocationEdit,
): Promise<Location> {
  const now = ctx.clock.now()
  const answer = await changeLocations(ctx, actor, idOrSlug, async (tx, business) => {
    const type = business.type as BusinessType
    const place = readDetails(details, type, await storedPlace(tx, business.id, id))
    const before = await findLocation(tx, business.id, id, now)
    if (!before) throw notFound('Location not found.')
    await requireCleanDetails(tx, ctx, actor, business.id, before, details)
    const isMain = id === business.id
    if (isMain) await saveMainLocation(tx, business.id, details.name, details.timeZone, now)
    await tx
      .updateTable('locations')
      .set(isMain ? { ...names(details), updated_at: now } : { ...columns(details, place, type), updated_at: now })
      .where('id', '=', id)
      .where('business_id', '=', business.id)
      .execute()
    await writeTimes(tx, id, details)
    if (isMain) await writeThrough(tx, actor, business.id, place, now)
    if (isMain && before.timeZone !== details.timeZone) {
      await ctx.events.publish(tx, 'location.zone-changed', { businessId: business.id })
    }
    const after = (await findLocation(tx, business.id, id, now)) as Location
    if (version !== undefined && version !== before.version && after.version !== before.version) {
      throw new AppError('conflict', {
        message: 'This location was edited in the meantime. Load the latest version to see what’s new.',
      })
    }
    return after
  })
  ctx.cache.invalidate('businesses')
  return answer
}

/** Hours and pins aren't text: muted people may change them. */
async function requireCleanDetails(
  tx: Tx,
  ctx: Ctx,
  actor: Actor,
  businessId: string,
  before: Location | undefined,
  details: LocationDetails,
) {
  const { name, location, address, phone, specialDays } = details
  const notes = Object.fromEntries(specialDays.map(({ note }, i) => [`specialDays.${i}.note`, note]))
  const shown = before && [before.name, before.location, before.address, before.phone, ...before.specialDays.map(({ note }) => note)]
  const check = await businessWords(tx, ctx, actor, 'business_profile', businessId)
  requireClean(check({ name, location, address, phone, ...notes }, shown))
}

/** Also deletes the location's prices. @throws AppError not_found, forbidden, conflict for the main location */
export function removeLocation(ctx: Ctx, actor: Actor, idOrSlug: string, id: string): Promise<void> {
  return changeLocations(ctx, actor, idOrSlug, async (tx, business) => {
    if (id === business.id) {
      throw new AppError('conflict', { message: 'A business has one main location. Change it instead of removing it.' })
    }
    await tx.deleteFrom('locations').where('id', '=', id).where('business_id', '=', business.id).execute()
  })
}

/** Locks the business first, so that concurrent changes are counted correctly. */
async function changeLocations<Answer>(
  { db }: Ctx,
  actor: Actor,
  idOrSlug: string,
  write: (tx: Tx, business: TeamBusiness) => Promise<Answer>,
): Promise<Answer> {
  const { id } = await requirePermission(db, actor, idOrSlug, 'profile')
  return inTransaction(db, async (tx) => {
    await lockBusiness(tx, id)
    return write(tx, await requirePermission(tx, actor, id, 'profile', { lock: true }))
  })
}

/** Creates the row that the main location's hours and offers refer to, if it is missing. */
export async function saveMainLocation(tx: Tx, businessId: string, name: string, timeZone: string, now: Date): Promise<void> {
  await tx
    .insertInto('locations')
    .values({ id: businessId, business_id: businessId, name, time_zone: timeZone, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/**
 * Replaces the main location's weekly hours; null means that they aren't stated. Returns the previous hours.
 * @throws AppError invalid_input if times of a day overlap
 */
export async function setMainHours(
  tx: Tx,
  businessId: Locked<'businesses'>,
  hours: WeeklyHours | null,
  now: Date,
): Promise<WeeklyHours | null> {
  const fields: Record<string, string> = {}
  for (const [i, day] of (hours ?? []).entries()) checkIntervals(day, `hours.${i}`, fields)
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
  const main = (await loadLocations(tx, businessId, now))[0] as Location
  await saveMainLocation(tx, businessId, main.name, main.timeZone, now)
  await tx
    .updateTable('locations')
    .set({ has_hours: hours !== null, updated_at: now })
    .where('id', '=', businessId)
    .execute()
  await replaceHours(tx, businessId, hours)
  return main.hours
}

const names = ({ name, timeZone, hours }: LocationDetails) => ({ name, time_zone: timeZone, has_hours: hours !== null })

const columns = (details: LocationDetails, { pin, ...place }: ReadPlace, type: BusinessType) => ({
  ...names(details),
  ...place,
  pin_latitude: pin?.latitude ?? null,
  pin_longitude: pin?.longitude ?? null,
  pin_precision: pin?.precision ?? null,
  is_farm: type === 'farm',
})

async function writeTimes(tx: Tx, id: string, { hours, specialDays }: LocationDetails): Promise<void> {
  await replaceHours(tx, id, hours)
  await replaceSpecialDays(tx, id, specialDays)
}

async function writeThrough(tx: Tx, actor: Actor, businessId: string, place: ReadPlace, now: Date): Promise<void> {
  const fields = await setBusinessPlace(tx, businessId, place, now)
  if (fields.length === 0) return
  const entry = { action: 'business.edited', subjectType: 'business', subjectId: businessId, businessId } as const
  await recordAudit(tx, { ...entry, at: now, actorId: actor.id, details: { fields: fields.join(' ') } })
}

async function findLocation(tx: Tx, businessId: string, id: string, now: Date): Promise<Location | undefined> {
  return (await loadLocations(tx, businessId, now)).find((location) => location.id === id)
}

/**
 * Returns the IDs of all locations of the business, or none if `ids` is empty, and keeps them from being deleted until the transaction
 * ends. Creates the main location's row if `ids` includes it.
 */
export async function locationsForOffers(tx: Tx, businessId: string, ids: readonly string[], now: Date): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  if (ids.includes(businessId)) {
    const main = (await loadLocations(tx, businessId, now))[0] as Location
    await saveMainLocation(tx, businessId, main.name, main.timeZone, now)
  }
  return new Set(await lockLocations(tx, businessId))
}

/** A location as stored: normalized by the gazetteer, and for a farm no more precise than its city. */
type ReadPlace = {
  location: string
  address: string | null
  city: string | null
  state: string | null
  country: string | null
  zip: string | null
  phone: string | null
  pin: Pin | null
}

/** Miles from the location's city beyond which a pin must be a mistake. */
const farMiles = 100

/** @throws AppError invalid_input that names every invalid field */
function readDetails(details: LocationDetails, type: BusinessType, stored?: StoredPlace): ReadPlace {
  const fields: Record<string, string> = {}
  if (!isTimeZone(details.timeZone)) fields.timeZone = 'Choose a time zone such as America/Denver'
  for (const [i, day] of (details.hours ?? []).entries()) checkIntervals(day, `hours.${i}`, fields)
  details.specialDays.forEach(({ day, intervals }, i) => {
    checkIntervals(intervals, `specialDays.${i}.intervals`, fields)
    // PostgreSQL has no year 0.
    if (day < '2000') fields[`specialDays.${i}.day`] = 'Choose a day in the future'
    if (details.specialDays.findIndex((other) => other.day === day) !== i) fields[`specialDays.${i}.day`] = 'This day is listed twice'
  })
  const place = readPlace(details, type, stored)
  const pinProblem = pinProblemOf(details, type)
  if (pinProblem) fields.pin = pinProblem
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
  return place
}

type TypedPlace = Pick<LocationDetails, 'location' | 'address' | 'phone' | 'pin'>

export function pinProblemOf({ location, pin }: Pick<TypedPlace, 'location' | 'pin'>, type: BusinessType): string | null {
  const { location: label, pin: center } = readLocation(location, type)
  const isFar = type !== 'farm' && pin && center && distanceMiles(pin, center) > farMiles
  return isFar ? `This pin is more than ${farMiles} miles from ${label}` : null
}

/**
 * As long as the label and street equal those of `stored`, keeps what the label leaves out: the ZIP code, the pin there, and a town that
 * the gazetteer lacks.
 * @throws AppError invalid_input about `location` if it reveals more of a farm than its city
 */
export function readPlace({ location, address, phone, pin }: TypedPlace, type: BusinessType, stored?: StoredPlace): ReadPlace {
  const isFarm = type === 'farm'
  const street = isFarm ? null : address || null
  const kept = stored && stored.location === location && stored.address === street && (!isFarm || isCoarse(stored)) ? stored : null
  const read = { ...readLocation(location, type), ...(kept && townOf(kept)), address: street, phone: phone || null }
  const keptPin = kept && pinOf(kept)
  if (pin && !isFarm) return { ...read, pin: { ...pin, precision: 'premise' } }
  if (keptPin && keptPin.precision !== 'premise') return { ...read, pin: keptPin }
  // A farm's location must not be revealed, even by its owner's mistake: no street, no ZIP code, the city's pin.
  return isFarm ? { ...read, zip: null } : { ...read, ...nearer(address, read) }
}

const townOf = ({ city, state, country, zip }: StoredPlace) => ({ city, state, country, zip })

/** No more precise than a city. Other locations of a business that became a farm later may be more precise. */
const isCoarse = ({ zip, pin_precision }: StoredPlace) => zip === null && (pin_precision === null || pin_precision === 'city')

/** A ZIP code is more precise than the city. */
function nearer(address: string, { state, zip }: Pick<ReadPlace, 'state' | 'zip'>): Partial<Pick<ReadPlace, 'zip' | 'pin'>> {
  const code = zip ?? /\b(\d{5})(?:-\d{4})?\s*$/.exec(address)?.[1]
  const place = code ? findZip(code) : null
  if (!place || place.state !== state) return {}
  return { zip: place.name, pin: { latitude: place.latitude, longitude: place.longitude, precision: 'zip' } }
}

function checkIntervals(intervals: readonly OpenInterval[], field: string, fields: Record<string, string>): void {
  const end = ({ opens, closes }: OpenInterval) => (closes <= opens ? closes + 1440 : closes)
  intervals.forEach((interval, i) => {
    const overlaps = intervals.slice(0, i).some((other) => interval.opens < end(other) && other.opens < end(interval))
    if (overlaps) fields[`${field}.${i}`] = 'These times overlap'
  })
}

/** Limit without a plan, including the main location. */
export const freeLocations = 5
/** Limit for any business: locations are not paginated, and an item can differ at each (`offers` in contracts/menus.ts). */
const maxLocations = 500

/** Null `locationLimit` means that only `maxLocations` applies. The main location counts even before it is saved. */
export async function locationRoom(
  db: Db,
  businessId: string,
  now: Date,
): Promise<{ locationCount: number; locationLimit: number | null }> {
  const others = (await locationIds(db, businessId)).filter((id) => id !== businessId)
  const isFree = !(await businessEntitlements(db, businessId, now)).has('unlimited_locations')
  return { locationCount: others.length + 1, locationLimit: isFree ? freeLocations : null }
}

/** The business must be locked. */
async function requireLocationRoom(tx: Tx, businessId: string, now: Date): Promise<void> {
  const { locationCount, locationLimit } = await locationRoom(tx, businessId, now)
  if (locationCount >= maxLocations) {
    throw new AppError('conflict', { message: `A business can have up to ${maxLocations} locations.` })
  }
  if (locationLimit === null || locationCount < locationLimit) return
  const others = locationCount > locationLimit ? ` You can keep the ${locationCount} you have.` : ''
  throw new AppError('plan_limit', {
    message: `A free account can have ${locationLimit} locations.${others} Get Business Tools to add more.`,
  })
}
