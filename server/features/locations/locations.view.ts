import type { Location, OpenInterval, SpecialDay, WeeklyHours } from '#contracts/locations.ts'
import type { Db } from '#server/db/connect.ts'
import { localTime, momentOf } from '#server/kernel/time-zones.ts'
import { type BusinessPlace, businessPlace, type LocationRow, locationRows, specialDaysOf, weeklyHoursOf } from './locations.queries.ts'

/** Locations with opening hours, main location first. That one comes from the business until it is saved. */
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

/** A business that became a farm later gets a farm's privacy too. */
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

type OpenNow = { isOpen: boolean; changesAt: Date | null; note: string | null }
type Hours = { timeZone: string; hours: WeeklyHours; specialDays: readonly SpecialDay[] }

const weekMs = 7 * 86_400_000

/**
 * Whether a location is open by its local clock, and when that next changes within a week. Hours that span midnight belong to
 * the day on which they begin, so a holiday doesn't cut off the evening before it; hours skipped or repeated by a clock change
 * are neither lost nor added.
 */
export function openNow({ timeZone, hours, specialDays }: Hours, now: Date): OpenNow {
  const special = new Map(specialDays.map((day) => [day.day, day]))
  const today = localTime(timeZone, now).date
  const spans: { from: number; to: number }[] = []
  // Yesterday's hours may reach into today, and nine days cover a week.
  for (let ahead = -1; ahead <= 8; ahead++) {
    const day = addDays(today, ahead)
    for (const interval of special.get(day)?.intervals ?? hours[weekdayOf(day)] ?? []) {
      const from = momentOf(timeZone, day, interval.opens)
      const to = momentOf(timeZone, day, closingMinute(interval))
      if (to > from) spans.push({ from, to })
    }
  }
  const at = now.getTime()
  const current = joined(spans).find((span) => span.to > at)
  const isOpen = current !== undefined && current.from <= at
  const change = isOpen ? current.to : current?.from
  return {
    isOpen,
    changesAt: change !== undefined && change <= at + weekMs ? new Date(change) : null,
    note: special.get(today)?.note || null,
  }
}

/** In minutes from the start of the day on which it opens. */
const closingMinute = ({ opens, closes }: OpenInterval): number => (closes <= opens ? closes + 1440 : closes)

function joined(spans: { from: number; to: number }[]): { from: number; to: number }[] {
  const all: { from: number; to: number }[] = []
  for (const span of spans.sort((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else all.push({ ...span })
  }
  return all
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** 0 is Monday, as in `WeeklyHours`. */
const weekdayOf = (date: string): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7

/**
 * The time zone of most people in a state, until the owner sets one. Each of the dozen states with two zones has its larger
 * one; the owner chooses the right zone with the hours.
 */
const zones: Readonly<Record<string, string>> = {
  ...among('America/New_York', 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV'),
  ...among('America/Chicago', 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI'),
  ...among('America/Denver', 'CO ID MT NM UT WY'),
  ...among('America/Los_Angeles', 'CA NV OR WA'),
  ...among('America/Phoenix', 'AZ'),
  ...among('America/Anchorage', 'AK'),
  ...among('Pacific/Honolulu', 'HI'),
  ...among('America/Puerto_Rico', 'PR VI'),
  ...among('Pacific/Guam', 'GU MP'),
  ...among('Pacific/Pago_Pago', 'AS'),
  ...among('America/Toronto', 'ON QC NU'),
  ...among('America/Vancouver', 'BC'),
  ...among('America/Whitehorse', 'YT'),
  ...among('America/Edmonton', 'AB NT'),
  ...among('America/Regina', 'SK'),
  ...among('America/Winnipeg', 'MB'),
  ...among('America/Halifax', 'NB NS PE'),
  ...among('America/St_Johns', 'NL'),
}

function among(zone: string, states: string): Record<string, string> {
  return Object.fromEntries(states.split(' ').map((state) => [state, zone]))
}

export function guessTimeZone({ country, state }: { country: string | null; state: string | null }): string {
  if (country === 'DE') return 'Europe/Berlin'
  return (state && zones[state]) || 'UTC'
}
