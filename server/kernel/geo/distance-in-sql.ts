import { type RawBuilder, sql } from 'kysely'
import { EARTH_RADIUS_MILES, type Point } from './distance.ts'

/** `distanceMiles` in SQL, from a point to the point in these columns, which must not be null. */
export function distanceInSql({ latitude, longitude }: Point, columns: { latitude: string; longitude: string }): RawBuilder<number> {
  const there = { latitude: sql.ref(columns.latitude), longitude: sql.ref(columns.longitude) }
  return sql<number>`
    ${2 * EARTH_RADIUS_MILES}::float8 * asin(least(1, sqrt(
      power(sin(radians(${there.latitude} - ${latitude}::float8) / 2), 2)
      + cos(radians(${latitude}::float8)) * cos(radians(${there.latitude}))
        * power(sin(radians(${there.longitude} - ${longitude}::float8) / 2), 2))))`
}
