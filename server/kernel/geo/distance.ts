import { type RawBuilder, sql } from 'kysely'

export type Point = { readonly latitude: number; readonly longitude: number }

/**
 * In degrees. `west` is greater than `east` if the box crosses the antimeridian, as Alaska's Aleutians do. Such a box runs from `west` up
 * to 180 and on from −180 to `east`.
 */
export type BoundingBox = { readonly west: number; readonly south: number; readonly east: number; readonly north: number }

/** The Earth's mean radius (IUGG), for which the haversine formula is off by at most 0.5%. */
export const EARTH_RADIUS_MILES = 3958.7613
export const KILOMETERS_PER_MILE = 1.609344

const RADIANS = Math.PI / 180

/** The haversine formula is precise even for close points. */
export function distanceMiles(from: Point, to: Point): number {
  const half = Math.sin(((to.latitude - from.latitude) * RADIANS) / 2)
  const side = Math.sin(((to.longitude - from.longitude) * RADIANS) / 2)
  const h = half * half + Math.cos(from.latitude * RADIANS) * Math.cos(to.latitude * RADIANS) * side * side
  // For antipodes, rounding can push h past 1, where asin is undefined.
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Maps a longitude to [−180, 180). */
export function normalizeLongitude(longitude: number): number {
  if (longitude >= -180 && longitude < 180) return longitude
  const turned = (((longitude + 180) % 360) + 360) % 360
  return turned - 180
}

/**
 * The smallest box that contains every point within `miles` of the center. Its corners are farther away, so it only narrows the search
 * before the exact distance is computed.
 */
export function boxAround(center: Point, miles: number): BoundingBox {
  const angle = miles / EARTH_RADIUS_MILES
  const south = center.latitude - angle / RADIANS
  const north = center.latitude + angle / RADIANS
  // A circle around a pole touches every longitude.
  if (south <= -90 || north >= 90) return { west: -180, south: Math.max(-90, south), east: 180, north: Math.min(90, north) }
  // The circle is widest where a meridian is tangent to it, nearer the pole than its center, so a plain division isn't enough.
  const reach = Math.asin(Math.min(1, Math.sin(angle) / Math.cos(center.latitude * RADIANS))) / RADIANS
  return { west: normalizeLongitude(center.longitude - reach), south, east: normalizeLongitude(center.longitude + reach), north }
}

export const crossesAntimeridian = (box: BoundingBox): boolean => box.west > box.east

type PointColumns = { latitude: string; longitude: string }

/** SQL: the point in these columns is inside the box. A box across the antimeridian consists of two ranges of longitude. */
export function isInBox(box: BoundingBox, columns: PointColumns): RawBuilder<boolean> {
  const [latitude, longitude] = [sql.ref(columns.latitude), sql.ref(columns.longitude)]
  const west = sql`${longitude} >= ${box.west}::float8`
  const east = sql`${longitude} <= ${box.east}::float8`
  return sql<boolean>`(${latitude} between ${box.south}::float8 and ${box.north}::float8
    and ${crossesAntimeridian(box) ? sql`(${west} or ${east})` : sql`${west} and ${east}`})`
}

/** `distanceMiles` in SQL, from a point to the point in these columns, which must not be null. */
export function distanceInSql({ latitude, longitude }: Point, columns: PointColumns): RawBuilder<number> {
  const there = { latitude: sql.ref(columns.latitude), longitude: sql.ref(columns.longitude) }
  return sql<number>`
    ${2 * EARTH_RADIUS_MILES}::float8 * asin(least(1, sqrt(
      power(sin(radians(${there.latitude} - ${latitude}::float8) / 2), 2)
      + cos(radians(${latitude}::float8)) * cos(radians(${there.latitude}))
        * power(sin(radians(${there.longitude} - ${longitude}::float8) / 2), 2))))`
}
