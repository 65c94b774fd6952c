import type { BusinessType } from '#contracts/business-types.ts'
import { type BusinessEvent, type EventDetails, type EventEdit, maxEventDays } from '#contracts/events.ts'
import { exactnessOf } from '#contracts/place-name.ts'
import { dayMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { readLocation } from '#server/features/businesses/index.ts'
import { maySeeProducts, productAgeOf } from '#server/features/jurisdictions/index.ts'
import { loadLocations, lockLocations, saveMainLocation } from '#server/features/locations/index.ts'
import { holdForReview } from '#server/features/moderation/index.ts'
import { type Viewer, viewerOf } from '#server/features/posts/index.ts'
import { screenWords, type Verdict } from '#server/features/screening/index.ts'
import { requirePermission, roleCan, type TeamBusiness } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { isTimeZone, momentOf } from '#server/kernel/time-zones.ts'
import { type LockedEvent, lockEvent } from './events.queries.ts'
import { eventNotFound, readEvent } from './read-events.ts'
import { remindAt } from './rsvp.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>

/** @throws AppError not_found, forbidden (no right, or no verified license), age_restricted, invalid_input, idempotency_mismatch */
export function createEvent(
  ctx: Ctx,
  actor: Actor,
  idOrSlug: string,
  details: EventDetails,
  idempotency: IdempotencyKey | null,
): Promise<BusinessEvent> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    const business = await requirePermission(tx, actor, idOrSlug, 'posts', { lock: true })
    requireAge(viewer, business)
    return once(tx, actor.id, idempotency, now, async () => {
      const times = readTimes(details, now, null)
      const place = await readEventPlace(tx, business, details, now, null)
      const id = newId()
      const verdict = await screenEvent(tx, ctx, actor, { id, businessId: business.id, details })
      await tx
        .insertInto('events')
        .values({
          id,
          business_id: business.id,
          created_by: actor.id,
          ...columnsOf(details, times, place),
          moderation: verdict.state,
          created_at: now,
          updated_at: now,
        })
        .execute()
      if (verdict.state === 'held') await hold(tx, ctx, { id, userId: actor.id, businessId: business.id }, verdict, now)
      else await ctx.events.publish(tx, 'event.announced', { eventId: id })
      return readEvent(tx, viewer, id)
    })
  })
}

/**
 * Changes an event that is neither over nor canceled. Attendees are notified of a new time or place.
 * @throws AppError not_found, forbidden, invalid_input, conflict
 */
export function updateEvent(ctx: Ctx, actor: Actor, id: string, { editedAt, ...details }: EventEdit): Promise<BusinessEvent> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    const event = await lockOwnEvent(tx, viewer, id)
    requireActive(event, now)
    if (editedAt !== undefined) refuseOutdated(event, editedAt)
    const business = await requirePermission(tx, actor, event.business_id, 'posts', { lock: true })
    requireFits(event, details)
    const times = readTimes(details, now, event)
    const place = await readEventPlace(tx, business, details, now, event)
    const before = event.moderation === null ? [event.title, event.description, event.venue ?? ''] : undefined
    const verdict = await screenEvent(tx, ctx, actor, { id, businessId: business.id, details }, before)
    const columns = columnsOf(details, times, place)
    const changed = changesOf(event, columns)
    const sequence = event.sequence + (changed.isNews ? 1 : 0)
    await tx
      .updateTable('events')
      .set({
        ...columns,
        sequence,
        ...(changed.isMoved ? { moved_sequence: sequence } : {}),
        ...(verdict.state === 'held' && event.moderation === null ? { moderation: 'held' } : {}),
        // The person who wrote the held text answers for it.
        ...(verdict.state === 'held' ? { created_by: actor.id } : {}),
        edited_at: now,
        updated_at: now,
      })
      .where('id', '=', id)
      .execute()
    if (changed.isMoved) {
      await tx
        .updateTable('event_rsvps')
        .set({ remind_at: remindAt(times, now) })
        .where('event_id', '=', id)
        .execute()
      await ctx.events.publish(tx, 'event.changed', { eventId: id, sequence })
    }
    if (verdict.state === 'held') await hold(tx, ctx, { id, userId: actor.id, businessId: business.id }, verdict, now)
    return readEvent(tx, viewer, id)
  })
}

/**
 * Cancels an event. Its page and its business's list still show it, with the note. Idempotent: a second note doesn't replace the first.
 * @throws AppError not_found, forbidden, invalid_input for a note that breaks the rules, conflict
 */
export function cancelEvent(ctx: Ctx, actor: Actor, id: string, note: string): Promise<BusinessEvent> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    const event = await lockOwnEvent(tx, viewer, id)
    if (event.canceled_at === null) {
      requireActive(event, now)
      await screenWords(tx, ctx, actor, { kind: 'event_note', texts: [note], businessId: event.business_id, field: 'note' })
      await tx
        .updateTable('events')
        .set({ canceled_at: now, cancel_note: note, sequence: event.sequence + 1, updated_at: now })
        .where('id', '=', id)
        .execute()
      await tx.updateTable('event_rsvps').set({ remind_at: null }).where('event_id', '=', id).execute()
      await ctx.events.publish(tx, 'event.canceled', { eventId: id })
    }
    return readEvent(tx, viewer, id)
  })
}

/** @throws AppError not_found, forbidden, conflict if anyone is going */
export async function deleteEvent(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  const viewer = viewerOf(actor, ctx.clock.now())
  await inTransaction(ctx.db, async (tx) => {
    const event = await lockOwnEvent(tx, viewer, id)
    if (event.going_count > 0) {
      throw new AppError('conflict', { message: 'People are going to this event. Cancel it instead, and we’ll notify them.' })
    }
    await tx.deleteFrom('events').where('id', '=', id).execute()
  })
}

/** @throws AppError not_found, forbidden */
async function lockOwnEvent(tx: Tx, viewer: Viewer, id: string): Promise<LockedEvent> {
  const event = await lockEvent(tx, viewer, id)
  if (!event?.is_visible) throw eventNotFound()
  if (!roleCan(event.role, 'posts')) throw new AppError('forbidden', { message: 'Only this business’s team can change its events.' })
  return event
}

/** @throws AppError conflict */
function requireActive(event: LockedEvent, now: Date): void {
  if (event.canceled_at !== null) throw new AppError('conflict', { message: 'This event is canceled.' })
  if (event.ends_at <= now) throw new AppError('conflict', { message: 'This event is over.' })
}

/** @throws AppError conflict if someone edited the event after the given time */
function refuseOutdated({ edited_at }: LockedEvent, editedAt: string | null): void {
  if (edited_at?.getTime() === (editedAt === null ? undefined : new Date(editedAt).getTime())) return
  throw new AppError('conflict', { message: 'This event was edited in the meantime. Load the latest version to see what’s new.' })
}

/** People too young to see a business's advertising can't write it. @throws AppError age_restricted */
function requireAge(viewer: Viewer, business: TeamBusiness): void {
  if (maySeeProducts(viewer.age, business)) return
  const { minimumAge } = productAgeOf(business)
  throw new AppError('age_restricted', { message: `This business’s events are for people ${minimumAge} or older.` })
}

/**
 * Once anyone is going, refuses a capacity below the number going and any narrower audience. Changing from VIPs to subscribers is also
 * refused, because a VIP isn't always a subscriber.
 * @throws AppError invalid_input
 */
function requireFits(event: LockedEvent, { audience, capacity }: EventDetails): void {
  const going = event.going_count
  const fields: Record<string, string> = {}
  if (capacity !== null && capacity < going) fields.capacity = `${going} ${going === 1 ? 'person is' : 'people are'} already going`
  if (going > 0 && audience !== event.audience && audience !== 'everyone') {
    fields.audience = 'People are already going. Keep its audience or open it to everyone.'
  }
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
}

type Screened = { id: string; businessId: string; details: EventDetails }

/** @throws AppError forbidden without a verified license, invalid_input */
const screenEvent = (
  tx: Tx,
  ctx: Ctx,
  actor: Actor,
  { id, businessId, details: { title, description, venue } }: Screened,
  before?: readonly string[],
): Promise<Verdict> =>
  screenWords(tx, ctx, actor, {
    kind: 'event',
    texts: [title, description, venue],
    before,
    businessId,
    subjectId: id,
    field: 'description',
  })

type Held = { id: string; userId: string; businessId: string }

const hold = (tx: Tx, ctx: Pick<Ctx, 'events'>, { id, ...by }: Held, { findings }: Verdict, now: Date): Promise<string> =>
  holdForReview(tx, ctx, { subject: 'event', subjectId: id, ...by, communityId: null, findings, now })

const columnsOf = ({ title, description, audience, capacity }: EventDetails, times: EventTimes, place: EventPlace) => ({
  title,
  description,
  audience,
  capacity,
  ...times,
  ...place,
})

/** `isMoved`: attendees must be notified. `isNews`: the calendar file changes. */
function changesOf(event: LockedEvent, columns: ReturnType<typeof columnsOf>): { isMoved: boolean; isNews: boolean } {
  const isMoved =
    event.starts_at.getTime() !== columns.starts_at.getTime() ||
    event.ends_at.getTime() !== columns.ends_at.getTime() ||
    (['time_zone', 'venue', 'address', 'city'] as const).some((name) => event[name] !== columns[name])
  return { isMoved, isNews: isMoved || event.title !== columns.title || event.description !== columns.description }
}

const maxYearsAhead = 2

type EventTimes = { starts_at: Date; ends_at: Date; time_zone: string }

/** Converts local times in the event's zone to instants. @throws AppError invalid_input that names every invalid field */
function readTimes({ startsLocal, endsLocal, timeZone }: EventDetails, now: Date, before: EventTimes | null): EventTimes {
  if (!isTimeZone(timeZone)) throw invalidField('timeZone', 'Choose a time zone such as America/Denver')
  const times = { starts_at: momentIn(timeZone, startsLocal), ends_at: momentIn(timeZone, endsLocal), time_zone: timeZone }
  const latest = new Date(now)
  latest.setUTCFullYear(latest.getUTCFullYear() + maxYearsAhead)
  const fields: Record<string, string> = {}
  // An event that has started may still be corrected.
  const isSameStart = before?.starts_at.getTime() === times.starts_at.getTime()
  if (times.starts_at <= now && !isSameStart) fields.startsLocal = 'Choose a time in the future'
  if (times.starts_at > latest) fields.startsLocal = `Choose a day within ${maxYearsAhead} years`
  const days = (times.ends_at.getTime() - times.starts_at.getTime()) / dayMs
  // One hour of slack for a clock change in between.
  if (days > maxEventDays + 1 / 24) fields.endsLocal = `An event can last up to ${maxEventDays} days`
  if (times.ends_at <= times.starts_at) fields.endsLocal = 'Choose an end time after the start'
  if (times.ends_at <= now && !fields.endsLocal) fields.endsLocal = 'Choose an end time in the future'
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
  return times
}

function momentIn(timeZone: string, local: string): Date {
  const [day = '', clock = ''] = local.split('T')
  const [hours, minutes] = clock.split(':').map(Number)
  return new Date(momentOf(timeZone, day, (hours as number) * 60 + (minutes as number)))
}

type EventPlace = {
  location_id: string | null
  venue: string | null
  address: string | null
  city: string
  pin_latitude: number | null
  pin_longitude: number | null
  is_farm: boolean
}

/**
 * For a farm, only the city and the name of a venue are announced. An event that outlived its location keeps its address and pin, because
 * nothing but the city and venue can be entered for it.
 * @throws AppError invalid_input
 */
async function readEventPlace(
  tx: Tx,
  business: TeamBusiness,
  details: EventDetails,
  now: Date,
  before: EventPlace | null,
): Promise<EventPlace> {
  const isFarm = business.type === 'farm'
  if (isFarm && isAddress(details.venue)) throw invalidField('venue', 'Name the venue without its street, ZIP code or coordinates')
  const place =
    details.locationId === null
      ? cityOf(details.city, business.type as BusinessType)
      : await placeOfLocation(tx, business.id, details.locationId, now)
  const venue = details.venue || null
  const read = { ...place, address: isFarm ? null : place.address, venue, is_farm: isFarm }
  if (!before || before.location_id !== null || read.location_id !== null) return read
  if (before.is_farm !== isFarm || before.city !== read.city || before.venue !== venue) return read
  const { address, pin_latitude, pin_longitude } = before
  return { ...read, address, pin_latitude, pin_longitude }
}

const isAddress = (venue: string) => exactnessOf(venue) !== null || /\b\d{5}\b/.test(venue)

function cityOf(text: string, type: BusinessType) {
  const { location, pin } = readCity(text, type)
  return { location_id: null, city: location, address: null, ...toPin(pin) }
}

function readCity(text: string, type: BusinessType) {
  try {
    return readLocation(text, type)
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input')
      throw invalidField('city', 'Enter the city and state, without a street')
    throw error
  }
}

async function placeOfLocation(tx: Tx, businessId: string, locationId: string, now: Date) {
  await lockLocations(tx, businessId)
  const location = (await loadLocations(tx, businessId, now)).find(({ id }) => id === locationId)
  if (!location) throw invalidField('locationId', 'Choose one of this business’s locations')
  if (!location.location) throw invalidField('locationId', 'This location has no city yet. Add it under Locations, or enter another place.')
  // The main location may not have a row yet.
  if (location.isMain) await saveMainLocation(tx, businessId, location.name, location.timeZone, now)
  return { location_id: location.id, city: location.location, address: location.address, ...toPin(location.pin) }
}

const toPin = (pin: { latitude: number; longitude: number } | null) => ({
  pin_latitude: pin?.latitude ?? null,
  pin_longitude: pin?.longitude ?? null,
})
