import type { Location, SpecialDay, WeeklyHours } from '../../../contracts/locations.ts'
import type { Db } from '../../db/connect.ts'
import { guessTimeZone } from './guess-time-zone.ts'
import { type BusinessPlace, businessPlace, type LocationRow, locationRows, specialDaysOf, weeklyHoursOf } from './locations.queries.ts'
import { openNow } from './open-now.ts'

/** Where a business is and when it is open, its main location first. Made of the business alone until it was saved. */
export async function loadLocations(db: Db, businessId: string, now: Date): Promise<Location[]> {
  const [business, rows] = await Promise.all([businessPlace(db, businessId), locationRows(db, businessId)])
  const ids = rows.map((row) => row.id)
  const [hours, specialDays] = await Promise.all([weeklyHoursOf(db, ids), specialDaysOf(db, ids)])
  const times = (row: LocationRow | undefined) => toTimes(row, business, hours, specialDays, now)
  const main = rows.find((row) => row.id === businessId)
  return [
    { id: businessId, isMain: true, name: main?.name ?? business.name, ...placeOf(business), ...times(main) },
    ...rows
      .filter((row) => row !== main)
      .map((row) => ({ id: row.id, isMain: false, name: row.name, ...placeOf(hidden(row, business)), ...times(row) })),
  ]
}

type Place = Pick<BusinessPlace, 'location' | 'address' | 'phone' | 'pin_latitude' | 'pin_longitude' | 'pin_precision'>

const placeOf = ({ location, address, phone, pin_latitude, pin_longitude, pin_precision }: Place) => ({
  location,
  address,
  phone,
  pin:
    pin_latitude === null || pin_longitude === null || pin_precision === null
      ? null
      : { latitude: pin_latitude, longitude: pin_longitude, precision: pin_precision },
})

/** What became a farm after this location was written is shown like one all the same. */
function hidden(row: LocationRow, business: BusinessPlace): Place {
  if (business.type !== 'farm' || row.is_farm) return row
  const isExact = row.pin_precision !== 'city'
  return { ...row, address: null, ...(isExact ? { pin_latitude: null, pin_longitude: null, pin_precision: null } : {}) }
}

function toTimes(
  row: LocationRow | undefined,
  business: BusinessPlace,
  hours: ReadonlyMap<string, WeeklyHours>,
  specialDays: ReadonlyMap<string, SpecialDay[]>,
  now: Date,
): Pick<Location, 'timeZone' | 'hours' | 'specialDays' | 'openNow'> {
  if (!row) return { timeZone: guessTimeZone(business), hours: null, specialDays: [], openNow: null }
  const own = { timeZone: row.time_zone, specialDays: specialDays.get(row.id) ?? [] }
  const weekly = row.has_hours ? hours.get(row.id) : undefined
  if (!weekly) return { ...own, hours: null, openNow: null }
  const { changesAt, ...open } = openNow({ ...own, hours: weekly }, now)
  return { ...own, hours: weekly, openNow: { ...open, changesAt: changesAt?.toISOString() ?? null } }
}
