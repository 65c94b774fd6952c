import { sql } from 'kysely'
import type { Location, OpenInterval, SpecialDay, WeeklyHours } from '#contracts/locations.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Pin } from '#server/features/businesses/index.ts'
import { versionOf } from '#server/kernel/ids.ts'
import { openNow } from '#server/kernel/opening-hours.ts'
import { guessTimeZone } from '#server/kernel/time-zones.ts'

/** Locations with opening hours, main location first. Until it is saved, the main location's name and time zone come from the business. */
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
  ].map((location) => ({ ...location, version: versionOf(detailsOf(location)) }))
}

const detailsOf = ({ name, location, address, phone, pin, timeZone, hours, specialDays }: Omit<Location, 'version'>) =>
  [name, location, address, phone, pin, timeZone, hours, specialDays] as const

export async function loadMainTimes(db: Db, businessIds: readonly string[], now: Date): Promise<Map<string, Times>> {
  const [businesses, rows, hours, specialDays] = await Promise.all([
    db
      .selectFrom('businesses')
      .select(['id', 'country', 'state', 'city', 'zip'])
      .where(sql<boolean>`id = any(${businessIds}::uuid[])`)
      .execute(),
    db.selectFrom('locations').select(['id', 'time_zone', 'has_hours']).where(sql<boolean>`id = any(${businessIds}::uuid[])`).execute(),
    weeklyHoursOf(db, businessIds),
    specialDaysOf(db, businessIds),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return new Map(businesses.map((business) => [business.id, toTimes(byId.get(business.id), business, hours, specialDays, now)]))
}

type Times = Pick<Location, 'timeZone' | 'hours' | 'specialDays' | 'openNow'>

type PinColumns = Pick<BusinessPlace, 'pin_latitude' | 'pin_longitude' | 'pin_precision'>
type Place = Pick<BusinessPlace, 'location' | 'address' | 'phone' | 'pin_latitude' | 'pin_longitude' | 'pin_precision'>

const placeOf = ({ location, address, phone, pin_latitude, pin_longitude, pin_precision }: Place) => ({
  location,
  address,
  phone,
  pin: pinOf({ pin_latitude, pin_longitude, pin_precision }),
})

export const pinOf = ({ pin_latitude: latitude, pin_longitude: longitude, pin_precision: precision }: PinColumns): Pin | null =>
  latitude === null || longitude === null || precision === null ? null : { latitude, longitude, precision }

/** A business that became a farm later gets a farm's privacy too. */
function hidden(row: LocationRow, business: BusinessPlace): Place {
  if (business.type !== 'farm' || row.is_farm) return row
  const isExact = row.pin_precision !== 'city'
  return { ...row, address: null, ...(isExact ? { pin_latitude: null, pin_longitude: null, pin_precision: null } : {}) }
}

function toTimes(
  row: Pick<LocationRow, 'id' | 'time_zone' | 'has_hours'> | undefined,
  business: Pick<BusinessPlace, 'country' | 'state' | 'city' | 'zip'>,
  hours: ReadonlyMap<string, WeeklyHours>,
  specialDays: ReadonlyMap<string, SpecialDay[]>,
  now: Date,
): Times {
  if (!row) return { timeZone: guessTimeZone(business), hours: null, specialDays: [], openNow: null }
  const own = { timeZone: row.time_zone, specialDays: specialDays.get(row.id) ?? [] }
  const weekly = row.has_hours ? hours.get(row.id) : undefined
  if (!weekly) return { ...own, hours: null, openNow: null }
  const { changesAt, ...open } = openNow({ ...own, hours: weekly }, now)
  return { ...own, hours: weekly, openNow: { ...open, changesAt: changesAt?.toISOString() ?? null } }
}

/** The main location takes its address and pin from the business; only its name, hours and time zone are stored here, once saved. */
const businessPlace = (db: Db, businessId: string) =>
  db
    .selectFrom('businesses')
    .select(['id', 'name', 'type', 'location', 'address', 'city', 'state', 'country', 'zip', 'phone'])
    .select(['pin_latitude', 'pin_longitude', 'pin_precision'])
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow()
type BusinessPlace = Awaited<ReturnType<typeof businessPlace>>

const locationRows = (db: Db, businessId: string) =>
  db
    .selectFrom('locations')
    .select(['id', 'name', 'location', 'address', 'city', 'state', 'phone', 'pin_latitude', 'pin_longitude', 'pin_precision'])
    .select(['time_zone', 'has_hours', 'is_farm'])
    .where('business_id', '=', businessId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
type LocationRow = Awaited<ReturnType<typeof locationRows>>[number]

const placeColumns = ['location', 'address', 'city', 'state', 'country', 'zip', 'pin_latitude', 'pin_longitude', 'pin_precision'] as const
export type StoredPlace = Pick<BusinessPlace, (typeof placeColumns)[number]>

/** The place in the location's row or, for the main location, in its business's row. */
export const storedPlace = (db: Db, businessId: string, id: string): Promise<StoredPlace | undefined> =>
  id === businessId
    ? db.selectFrom('businesses').select(placeColumns).where('id', '=', id).executeTakeFirst()
    : db.selectFrom('locations').select(placeColumns).where('id', '=', id).where('business_id', '=', businessId).executeTakeFirst()

/** Waits for concurrent deletions, and keeps the remaining locations from being deleted until the transaction ends. */
export const lockLocations = async (tx: Tx, businessId: string): Promise<string[]> => {
  const rows = await tx.selectFrom('locations').select('id').where('business_id', '=', businessId).orderBy('id').forKeyShare().execute()
  return rows.map((row) => row.id)
}

export const locationIds = async (db: Db, businessId: string): Promise<string[]> => {
  const rows = await db.selectFrom('locations').select('id').where('business_id', '=', businessId).execute()
  return rows.map((row) => row.id)
}

async function weeklyHoursOf(db: Db, ids: readonly string[]): Promise<Map<string, WeeklyHours>> {
  const rows = await db
    .selectFrom('location_hours')
    .select(['location_id', 'weekday', 'opens', 'closes'])
    .where(sql<boolean>`location_id = any(${ids}::uuid[])`)
    .orderBy('opens')
    .execute()
  const hours = new Map<string, WeeklyHours>(ids.map((id) => [id, Array.from({ length: 7 }, () => [])]))
  for (const { location_id, weekday, opens, closes } of rows) hours.get(location_id)?.[weekday]?.push({ opens, closes })
  return hours
}

async function specialDaysOf(db: Db, ids: readonly string[]): Promise<Map<string, SpecialDay[]>> {
  const rows = await db
    .selectFrom('location_special_days')
    .select(['location_id', 'day', 'opens', 'closes', 'note'])
    .where(sql<boolean>`location_id = any(${ids}::uuid[])`)
    .orderBy('day')
    .execute()
  const days = new Map<string, SpecialDay[]>(ids.map((id) => [id, []]))
  for (const { location_id, day, opens, closes, note } of rows) {
    days.get(location_id)?.push({ day, note, intervals: opens.map((minute, i) => ({ opens: minute, closes: closes[i] as number })) })
  }
  return days
}

export async function replaceHours(tx: Tx, locationId: string, hours: WeeklyHours | null): Promise<void> {
  await tx.deleteFrom('location_hours').where('location_id', '=', locationId).execute()
  const rows = (hours ?? []).flatMap((day, weekday) => day.map((interval) => ({ location_id: locationId, weekday, ...interval })))
  if (rows.length > 0) await tx.insertInto('location_hours').values(rows).execute()
}

export async function replaceSpecialDays(tx: Tx, locationId: string, days: readonly SpecialDay[]): Promise<void> {
  await tx.deleteFrom('location_special_days').where('location_id', '=', locationId).execute()
  const minutes = (intervals: readonly OpenInterval[], name: keyof OpenInterval) => intervals.map((interval) => interval[name])
  const rows = days.map(({ day, note, intervals }) => ({
    location_id: locationId,
    day,
    note,
    opens: minutes(intervals, 'opens'),
    closes: minutes(intervals, 'closes'),
  }))
  if (rows.length > 0) await tx.insertInto('location_special_days').values(rows).execute()
}
