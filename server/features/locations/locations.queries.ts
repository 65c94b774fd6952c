import { sql } from 'kysely'
import type { OpenInterval, SpecialDay, WeeklyHours } from '#contracts/locations.ts'
import type { Db, Tx } from '#server/db/connect.ts'

/** The main location takes its place from the business; only its name, hours and time zone are stored here, once saved. */
export const businessPlace = (db: Db, businessId: string) =>
  db
    .selectFrom('businesses')
    .select(['id', 'name', 'type', 'location', 'address', 'city', 'state', 'country', 'zip', 'phone'])
    .select(['pin_latitude', 'pin_longitude', 'pin_precision'])
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow()
export type BusinessPlace = Awaited<ReturnType<typeof businessPlace>>

export const locationRows = (db: Db, businessId: string) =>
  db
    .selectFrom('locations')
    .select(['id', 'name', 'location', 'address', 'city', 'state', 'phone', 'pin_latitude', 'pin_longitude', 'pin_precision'])
    .select(['time_zone', 'has_hours', 'is_farm'])
    .where('business_id', '=', businessId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
export type LocationRow = Awaited<ReturnType<typeof locationRows>>[number]

export const locationIds = async (db: Db, businessId: string): Promise<string[]> => {
  const rows = await db.selectFrom('locations').select('id').where('business_id', '=', businessId).execute()
  return rows.map((row) => row.id)
}

export async function weeklyHoursOf(db: Db, ids: readonly string[]): Promise<Map<string, WeeklyHours>> {
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

export async function specialDaysOf(db: Db, ids: readonly string[]): Promise<Map<string, SpecialDay[]>> {
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
