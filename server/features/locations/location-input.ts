import type { BusinessType } from '../../../contracts/business-types.ts'
import type { LocationDetails, OpenInterval } from '../../../contracts/locations.ts'
import { AppError } from '../../kernel/errors.ts'
import { distanceMiles } from '../../kernel/geo/distance.ts'
import { findZip } from '../../kernel/geo/gazetteer.ts'
import { isTimeZone } from '../../kernel/time-zones.ts'
import { type Pin, readLocation } from '../businesses/index.ts'

/** A place as it is kept: read by the gazetteer, and of a farm no finer than its city. */
export type ReadPlace = {
  location: string
  address: string | null
  city: string | null
  state: string | null
  country: string | null
  zip: string | null
  phone: string | null
  pin: Pin | null
}

/** Farther than this from its city, a pin is a slip of the finger. */
const farMiles = 100

/** @throws AppError invalid_input that names every wrong field */
export function readDetails(details: LocationDetails, type: BusinessType): ReadPlace {
  const fields: Record<string, string> = {}
  if (!isTimeZone(details.timeZone)) fields.timeZone = 'Choose a time zone such as America/Denver'
  for (const [i, day] of (details.hours ?? []).entries()) checkIntervals(day, `hours.${i}`, fields)
  details.specialDays.forEach(({ day, intervals }, i) => {
    checkIntervals(intervals, `specialDays.${i}.intervals`, fields)
    // PostgreSQL has no year 0, and nobody means a day so long ago.
    if (day < '2000') fields[`specialDays.${i}.day`] = 'Choose a day to come'
    if (details.specialDays.findIndex((other) => other.day === day) !== i) fields[`specialDays.${i}.day`] = 'This day is there twice'
  })
  const place = readPlace(details, type)
  const center = readLocation(details.location, type).pin
  if (type !== 'farm' && details.pin && center && distanceMiles(details.pin, center) > farMiles) {
    fields.pin = `This pin is more than ${farMiles} miles from ${place.location}`
  }
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
  return place
}

function readPlace({ location, address, phone, pin }: LocationDetails, type: BusinessType): ReadPlace {
  const read = readLocation(location, type)
  const contact = { phone: phone || null }
  // Nobody's grow is given away, not even by its owner's mistake: no street, no ZIP code, the city's pin.
  if (type === 'farm') return { ...read, ...contact, address: null, zip: null }
  if (pin) return { ...read, ...contact, address: address || null, pin: { ...pin, precision: 'premise' } }
  return { ...read, ...contact, address: address || null, ...nearer(address, read) }
}

/** The ZIP code in an address says more than the city does. */
function nearer(address: string, { state, zip }: Pick<ReadPlace, 'state' | 'zip'>): Partial<Pick<ReadPlace, 'zip' | 'pin'>> {
  const [, code] = /\b(\d{5})(?:-\d{4})?\s*$/.exec(address) ?? []
  const place = zip === null && code ? findZip(code) : null
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
