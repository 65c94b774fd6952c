import { type ExpressionBuilder, type ExpressionWrapper, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Business, BusinessSort, Precision } from '#contracts/businesses.ts'
import { minNearbyResults } from '#contracts/limits.ts'
import type { Db } from '#server/db/connect.ts'
import { countUpTo } from '#server/db/count-rows.ts'
import type { DB } from '#server/db/schema.ts'
import { type BoundingBox, boxAround, distanceInSql, distanceMiles, isInBox, type Point } from '#server/kernel/geo/distance.ts'
import { decodeCursor } from '#server/kernel/keyset.ts'
import { type Area, centerOf, containsWord, type Search } from './search.ts'

type Businesses = ExpressionBuilder<DB, 'businesses'>
type Condition = ExpressionWrapper<DB, 'businesses', SqlBool>

/** `within` is an additional bounding box, such as a map's window. */
export function matching(search: Search, within: BoundingBox | null = search.bbox) {
  return (eb: Businesses): Condition => {
    const text = search.words.map((word) => containsWord(eb.ref('search_text'), word))
    const area = search.area ? [isInArea(search.area)] : []
    const subject = search.areaOrText && text.length > 0 && area.length > 0 ? [eb.or([eb.and(text), eb.and(area)])] : [...text, ...area]
    return eb.and([
      eb('moderation', 'is', null),
      eb('closure', 'is', null),
      ...subject,
      ...(within ? [isInBox(within, pin)] : []),
      ...(search.type ? [eb('type', '=', search.type)] : []),
      ...(search.state ? [eb('state', '=', search.state)] : []),
      ...(search.verified ? [eb('license_standing', '=', 'listed')] : []),
      ...(search.openAt ? [isOpenAt(eb, search.openAt)] : []),
      ...(search.openOn ? [isOpenOn(eb, search.openOn)] : []),
      ...(search.city ? [eb(sql`lower(city)`, '=', search.city.toLowerCase())] : []),
    ])
  }
}

export function isInArea({ center, radiusMiles, state }: Area): RawBuilder<boolean> {
  if (radiusMiles === null) return sql<boolean>`businesses.state = ${state}`
  // The index filters by box; the exact distance is computed only for the remaining rows.
  return sql<boolean>`(${isInBox(boxAround(center, radiusMiles), pin)} and ${distanceTo(center)} <= ${radiusMiles}::float8)`
}

/**
 * Whether the main location is open, in its own time zone. Hours that span midnight belong to the day on which they begin, so
 * yesterday's hours also count. Special days replace the week's hours. Agrees with `openNow` in
 * `server/kernel/opening-hours.ts`, except in the hour that a clock change skips or repeats; a test compares them.
 */
export function isOpenAt(eb: Businesses, now: Date): Condition {
  const minutes = sql`extract(hour from here.local) * 60 + extract(minute from here.local)`
  return eb.exists(
    sql`(
      select from locations
      cross join lateral (select ${now}::timestamptz at time zone locations.time_zone as local) here
      cross join (values (0), (1)) back (days)
      cross join lateral (
        select here.local::date - back.days as day, ${minutes} + back.days * 1440 as minute
      ) moment
      cross join lateral (
        select opens, closes from location_hours
        where location_id = locations.id and weekday = extract(isodow from moment.day)::int - 1 and not exists (
          select from location_special_days special where special.location_id = locations.id and special.day = moment.day)
        union all
        select unnest(special.opens), unnest(special.closes) from location_special_days special
        where special.location_id = locations.id and special.day = moment.day
      ) hours
      where locations.id = ${eb.ref('businesses.id')} and locations.has_hours
        and moment.minute >= opens and moment.minute < case when closes <= opens then closes + 1440 else closes end
    )`,
  ) as Condition
}

/** Special days replace the week's hours. */
function isOpenOn(eb: Businesses, date: string): Condition {
  return eb.exists(
    sql`(
      select from locations
      where locations.id = ${eb.ref('businesses.id')} and locations.has_hours and case
        when exists (select from location_special_days special where special.location_id = locations.id and special.day = ${date}::date)
        then exists (select from location_special_days special
          where special.location_id = locations.id and special.day = ${date}::date and cardinality(special.opens) > 0)
        else exists (select from location_hours
          where location_id = locations.id and weekday = extract(isodow from ${date}::date)::int - 1) end
    )`,
  ) as Condition
}

const pin = { latitude: 'businesses.pin_latitude', longitude: 'businesses.pin_longitude' }

/** In miles to the business's pin, which must exist. */
const distanceTo = (center: Point) => distanceInSql(center, pin)

/**
 * A place known only by its city or ZIP code isn't at the center of that area. It counts as at least this far away,
 * in miles, so that a city's farms don't rank before the shop next door.
 */
export const minMiles: Readonly<Record<Precision, number>> = { premise: 0, zip: 1, city: 3 }
const minDistance = sql<number>`case businesses.pin_precision when 'city' then ${sql.lit(minMiles.city)}::float8 when 'zip' then ${sql.lit(minMiles.zip)}::float8 else 0::float8 end`

/** Farther than anything on Earth, so that text matches without a pin sort last. */
const farthestMiles = 1_000_000

/** In miles. */
export const distanceOrFarthest = (center: Point | null) =>
  center
    ? sql<number>`case when businesses.pin_latitude is null then ${farthestMiles}::float8 else greatest(${distanceTo(center)}, ${minDistance}) end`
    : sql<number>`${farthestMiles}::float8`

type KeyPart = { kind: 'number' | 'string' | 'time'; by: RawBuilder<unknown> }
type Order = { parts: KeyPart[]; direction: 'asc' | 'desc' }

/** The ID breaks ties in the same direction, so that an index can provide the order. */
function orderOf(sort: BusinessSort, center: Point | null): Order {
  const distance: KeyPart = { kind: 'number', by: distanceOrFarthest(center) }
  const trust: KeyPart = { kind: 'number', by: sql`-license_trust` }
  if (sort === 'distance') return { parts: [distance, trust], direction: 'asc' }
  if (sort === 'name') return { parts: [{ kind: 'string', by: sql`lower(name)` }, trust], direction: 'asc' }
  if (sort === 'newest') return { parts: [{ kind: 'time', by: sql`created_at` }], direction: 'desc' }
  if (!center) {
    const parts: KeyPart[] = [
      { kind: 'number', by: sql`rating_score` },
      { kind: 'number', by: sql`license_trust` },
    ]
    return { parts, direction: 'desc' }
  }
  const parts: KeyPart[] = [{ kind: 'number', by: sql`-rating_score` }, trust, distance]
  return { parts, direction: 'asc' }
}

/** In miles. No one wants to drive for more than a day. */
const widerRadii = [50, 100, 250, 500]

/** The search with the smallest radius that has enough matches or, failing that, the smallest radius with the most matches. */
export async function widened(db: Db, search: Search): Promise<Search> {
  const { area } = search
  if (!area?.radiusMiles || search.areaOrText) return search
  const { radiusMiles } = area
  let best = { search, count: -1 }
  for (const radius of [radiusMiles, ...widerRadii.filter((wider) => wider > radiusMiles)]) {
    const wider = { ...search, area: { ...area, radiusMiles: radius } }
    const count = await countUpTo(db, db.selectFrom('businesses').where(matching(wider, null)), minNearbyResults)
    if (count > best.count) best = { search: wider, count }
    if (count >= minNearbyResults) break
  }
  return best.search
}

const sqlType = { number: 'float8', string: 'text', time: 'timestamptz', id: 'uuid' } as const

type Found = { id: string; distance: number; key: (string | number)[] }

/** Reads one row beyond the limit, as `toPage` expects. */
export async function findIds(
  db: Db,
  search: Search,
  page: { sort: BusinessSort; limit: number; cursor?: string | undefined },
): Promise<Found[]> {
  const center = centerOf(search)
  const { parts, direction } = orderOf(page.sort, center)
  const kinds = [...parts.map((part) => part.kind), 'id' as const]
  const after = decodeCursor(page.cursor, kinds)
  const by = [...parts.map((part) => part.by), sql`id`]
  const rows = await db
    .selectFrom('businesses')
    .select(['id', distanceOrFarthest(center).as('distance'), ...parts.map((part, i) => part.by.as(`key${i}`))])
    .where(matching(search))
    .$if(after !== null, (query) =>
      query.where(
        sql<SqlBool>`(${sql.join(by)}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join(
          (after ?? []).map((value, i) => sql`${value}::${sql.raw(sqlType[kinds[i] as keyof typeof sqlType])}`),
        )})`,
      ),
    )
    .orderBy(sql.join([...parts.map((_, i) => sql.ref(`key${i}`)), sql.ref('id')].map((name) => sql`${name} ${sql.raw(direction)}`)))
    .limit(page.limit + 1)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    distance: row.distance,
    key: [...parts.map((_, i) => plain((row as Record<string, unknown>)[`key${i}`])), row.id],
  }))
}

const plain = (value: unknown) => (value instanceof Date ? value.toISOString() : (value as string | number))

/** Like `distanceOrFarthest`, for a single business; null if its place is unknown. */
export const milesTo = (pin: Business['pin'], center: Point): number | null =>
  pin && knownDistance(Math.max(distanceMiles(center, pin), minMiles[pin.precision]))

export const knownDistance = (distance: number): number | null => (distance < farthestMiles ? Math.round(distance * 10) / 10 : null)
