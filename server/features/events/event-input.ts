import type { BusinessType } from '#contracts/business-types.ts'
import { type EventDetails, maxEventDays } from '#contracts/events.ts'
import { exactnessOf } from '#contracts/place-name.ts'
import { dayMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { readLocation } from '#server/features/businesses/index.ts'
import { loadLocations, saveMainLocation } from '#server/features/locations/index.ts'
import type { TeamBusiness } from '#server/features/team/index.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { isTimeZone, momentOf } from '#server/kernel/time-zones.ts'

const maxYearsAhead = 2

export type EventTimes = { starts_at: Date; ends_at: Date; time_zone: string }

/** Converts local times in the event's zone to instants. @throws AppError invalid_input that names every invalid field */
export function readTimes({ startsLocal, endsLocal, timeZone }: EventDetails, now: Date, before: EventTimes | null): EventTimes {
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
  if (times.ends_at <= times.starts_at) fields.endsLocal = 'Choose an end after the start'
  if (times.ends_at <= now && !fields.endsLocal) fields.endsLocal = 'Choose an end in the future'
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
  return times
}

function momentIn(timeZone: string, local: string): Date {
  const [day = '', clock = ''] = local.split('T')
  const [hours, minutes] = clock.split(':').map(Number)
  return new Date(momentOf(timeZone, day, (hours as number) * 60 + (minutes as number)))
}

export type EventPlace = {
  location_id: string | null
  venue: string | null
  address: string | null
  city: string
  pin_latitude: number | null
  pin_longitude: number | null
  is_farm: boolean
}

/**
 * The place of an event as it is announced. For a farm, only the city and the name of a venue.
 * @throws AppError invalid_input
 */
export async function readEventPlace(tx: Tx, business: TeamBusiness, details: EventDetails, now: Date): Promise<EventPlace> {
  const isFarm = business.type === 'farm'
  if (isFarm && isAddress(details.venue)) throw invalidField('venue', 'Name the venue without its street, ZIP code or coordinates')
  const place =
    details.locationId === null
      ? cityOf(details.city, business.type as BusinessType)
      : await placeOfLocation(tx, business.id, details.locationId, now)
  return { ...place, address: isFarm ? null : place.address, venue: details.venue || null, is_farm: isFarm }
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
  const location = (await loadLocations(tx, businessId, now)).find(({ id }) => id === locationId)
  if (!location) throw invalidField('locationId', 'Choose one of the locations of this business')
  if (!location.location) throw invalidField('locationId', 'This location has no city yet. Add it under Locations, or name another place.')
  // The main location may not have a row yet.
  if (location.isMain) await saveMainLocation(tx, businessId, location.name, location.timeZone, now)
  return { location_id: location.id, city: location.location, address: location.address, ...toPin(location.pin) }
}

const toPin = (pin: { latitude: number; longitude: number } | null) => ({
  pin_latitude: pin?.latitude ?? null,
  pin_longitude: pin?.longitude ?? null,
})
