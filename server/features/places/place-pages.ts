import { sql } from 'kysely'
import * as z from 'zod/mini'
import { type BusinessType, businessTypes } from '#contracts/business-types.ts'
import { line } from '#contracts/fields.ts'
import {
  type CityContent,
  type CityMap,
  type PlaceSort,
  type PlacesContent,
  placesPath,
  type StateContent,
  type TypeCount,
} from '#contracts/visitor-pages.ts'
import type { Db } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { distanceOrFarthest, isOpenAt, loadSummaries } from '#server/features/businesses/index.ts'
import { productAgeOf } from '#server/features/jurisdictions/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { distanceMiles, EARTH_RADIUS_MILES, type Point } from '#server/kernel/geo/distance.ts'
import { cityOfZip, findCity } from '#server/kernel/geo/gazetteer.ts'
import { nameSlug } from '#server/kernel/geo/place-names.ts'
import { namesakesOf, resolvePlace } from '#server/kernel/geo/place-search.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import {
  type CityCounts,
  citiesNear,
  cityCount,
  largestCities,
  licensed,
  type PlaceCounts,
  realTypes,
  stateCount,
  stateNamed,
  typesOf,
} from './place-counts.ts'

const largestShown = 12

const typeOrder: readonly BusinessType[] = ['dispensary', 'farm', 'delivery', 'food_service', 'smoke_shop', 'glass_shop', 'other']

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name, 'en')

const PlacesQuery = z.object({ near: z.catch(z.optional(line(120)), undefined) })

/** The index of states, with the cities that the text may mean, or the path of the requested place. */
export function readPlaces(counts: PlaceCounts, query: unknown): PlacesContent | string {
  const { near } = PlacesQuery.parse(query)
  const choices = near ? namesakesOf(near).flatMap(({ name, state }) => cityPage(name, state) ?? []) : []
  const path = near && choices.length === 0 ? pathOfPlace(near) : null
  if (path) return path
  return {
    kind: 'places',
    unknownPlace: (choices.length === 0 && near) || null,
    choices,
    states: [...counts.values()].map(stateCount).sort(byName),
    cities: largestCities(counts, largestShown),
  }
}

/** Resolves a state, city or ZIP code, as people write it, to the path of its page. */
function pathOfPlace(text: string): string | null {
  const place = resolvePlace(text)
  if (!place) return null
  if (place.kind === 'state') return placesPath(place.id)
  return cityPage(place.kind === 'zip' ? cityOfZip(place) : place.name, place.state)?.path ?? null
}

/** A city outside the gazetteer has a page only while it has businesses, so this returns its state's. Null outside the United States. */
export function cityPage(city: string | null, stateCode: string | null): { label: string; path: string } | null {
  const state = stateCode === null ? null : stateNamed(stateCode)
  if (!city || !state) return null
  const name = findCity(city, state.code)?.name
  if (name === undefined) return { label: state.name, path: placesPath(state.slug) }
  return { label: `${name}, ${state.code}`, path: placesPath(state.slug, nameSlug(name)) }
}

/** Returns a state's page, or its path if it was addressed differently. @throws AppError not_found */
export function readState(counts: PlaceCounts, text: string): StateContent | string {
  const named = stateNamed(text)
  if (!named) throw notFound('State not found.')
  if (named.slug !== text) return placesPath(named.slug)
  const state = counts.get(named.slug)
  const cities = [...(state?.cities.values() ?? [])]
  return {
    kind: 'state',
    state: state ? stateCount(state) : { name: named.name, path: placesPath(named.slug), count: 0, dispensaryCount: 0 },
    types: typeCounts(typesOf(cities)),
    cities: cities.map(cityCount).sort(byName),
    hasRealBusinesses: cities.some((city) => realTypes(city).size > 0),
  }
}

const typeCounts = (types: ReadonlyMap<BusinessType, number>): TypeCount[] =>
  typeOrder.flatMap((type) => (types.has(type) ? [{ type, count: types.get(type) as number }] : []))

/** Ignores invalid parameters: people type addresses, and old links remain in use. */
const Query = z.object({
  type: z.catch(z.optional(z.enum(businessTypes)), undefined),
  sort: z.catch(z._default(z.enum(['distance', 'open', 'name']), 'distance'), 'distance'),
  cursor: z.catch(z.optional(z.string()), undefined),
})

const businessesPerPage = 40
const nearbyMiles = 30
const nearbyShown = 10

type Asked = { state: string; city: string; query: unknown; viewer: { age: number | null; isAgeKnown: boolean } }

/** Returns a city's page, or its path if it was addressed differently. @throws AppError not_found; invalid_input for an invalid cursor */
export async function readCity(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  counts: PlaceCounts,
  asked: Asked,
): Promise<CityContent | string> {
  const state = stateNamed(asked.state)
  if (!state) throw notFound('State not found.')
  const found = cityIn(counts, state, asked.city)
  if (!found) throw notFound('City not found.')
  if (typeof found === 'string') return found
  const query = Query.parse(asked.query)
  const path = placesPath(state.slug, found.slug)
  if (asked.state !== state.slug) return path
  const real = realTypes(found)
  // The first type is at the city's own address, which search engines find only if it lists a real business.
  const types = typeCounts(found.types).sort((a, b) => Number(real.has(b.type)) - Number(real.has(a.type)))
  const type = types.find((each) => each.type === query.type)?.type ?? types[0]?.type ?? null
  const productAge = productAgeOf({ country: 'US', state: state.code })
  const isOldEnough = asked.viewer.age !== null && asked.viewer.age >= productAge.minimumAge
  const now = clock.now()
  const search = { ...found, state: state.code, sort: query.sort, now }
  const { items, nextCursor } = type
    ? await businessesOfCity(db, { ...search, type }, businessesPerPage, query.cursor)
    : { items: [], nextCursor: null }
  const ids = items.map(({ id }) => id)
  const [businesses, menus] = await Promise.all([
    loadSummaries(db, ids, now),
    isOldEnough ? menusConfirmedAt(db, ids) : new Map<string, string>(),
  ])
  return {
    kind: 'city',
    name: found.name,
    path,
    state: { name: state.name, code: state.code, path: placesPath(state.slug) },
    types,
    type,
    realCount: (type && real.get(type)) ?? 0,
    sort: query.sort,
    // Farms never show a street address, whatever the row contains.
    businesses: businesses.map((business) => ({
      ...business,
      ...(business.type === 'farm' && { address: null, location: `${found.name}, ${state.code}` }),
      menuConfirmedAt: menus.get(business.id) ?? null,
    })),
    map: drawCityMap(businesses.flatMap(({ pin }) => (pin?.precision === 'premise' ? [pin] : []))),
    nextCursor,
    isFirstPage: query.cursor === undefined,
    nearby: found.center ? citiesNear(counts, found.center, path, { miles: nearbyMiles, limit: nearbyShown }) : [],
    ageGate: isOldEnough ? null : { ...productAge, isAgeKnown: asked.viewer.isAgeKnown },
  }
}

type Known = Pick<CityCounts, 'name' | 'slug' | 'spellings' | 'center' | 'types' | 'demoTypes'>

/** A city with businesses, a city without any, or the path of a city addressed by another of its names ("new-york-city"). */
function cityIn(counts: PlaceCounts, state: { slug: string; code: string }, text: string): Known | string | null {
  const city = counts.get(state.slug)?.cities.get(text)
  if (city) return city
  const known = findCity(text.replaceAll('-', ' '), state.code)
  if (!known) return null
  const slug = nameSlug(known.name)
  if (slug !== text) return placesPath(state.slug, slug)
  return {
    name: known.name,
    slug,
    spellings: [],
    center: { latitude: known.latitude, longitude: known.longitude },
    types: new Map(),
    demoTypes: new Map(),
  }
}

const width = 640
const height = 240
/** Pixels around the outermost pins. */
const padding = 24
/** Smallest height in miles, so that neighbors don't seem far apart. */
const minMiles = 2
/** Miles from the median position beyond which a coordinate is probably wrong. */
const maxMiles = 15
const milesPerDegree = (EARTH_RADIUS_MILES * Math.PI) / 180
const scales = [0.25, 0.5, 1, 2, 5, 10]

/**
 * Draws exact positions to scale, north up, on a plain background: the member map's scenery is generalized for whole regions and puts
 * rivers a mile off at the scale of a city. Returns null unless at least two are within `maxMiles` of their middle.
 */
export function drawCityMap(positions: readonly Point[]): CityMap | null {
  const middle = {
    latitude: medianOf(positions.map((each) => each.latitude)),
    longitude: medianOf(positions.map((each) => each.longitude)),
  }
  const shown = positions.filter((position) => distanceMiles(middle, position) <= maxMiles)
  if (shown.length < 2) return null
  const [latitudes, longitudes] = [shown.map(({ latitude }) => latitude), shown.map(({ longitude }) => longitude)]
  const center = { latitude: middleOf(latitudes), longitude: middleOf(longitudes) }
  // At city scale, the map can be treated as flat. A degree of longitude is shorter than one of latitude.
  const milesEast = milesPerDegree * Math.cos((center.latitude * Math.PI) / 180)
  const pixelsPerMile = Math.min(
    (width - 2 * padding) / (spanOf(longitudes) * milesEast || Number.EPSILON),
    (height - 2 * padding) / Math.max(minMiles, spanOf(latitudes) * milesPerDegree),
  )
  const scale = scales.findLast((miles) => miles * pixelsPerMile <= width / 4) ?? 0.25
  return {
    width,
    height,
    pins: shown.map(({ latitude, longitude }) => ({
      x: Math.round(width / 2 + (longitude - center.longitude) * milesEast * pixelsPerMile),
      y: Math.round(height / 2 - (latitude - center.latitude) * milesPerDegree * pixelsPerMile),
    })),
    scale: { miles: scale, length: Math.round(scale * pixelsPerMile) },
  }
}

const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const spanOf = (values: readonly number[]) => Math.max(...values) - Math.min(...values)
const middleOf = (values: readonly number[]) => (Math.max(...values) + Math.min(...values)) / 2

type CitySearch = {
  state: string
  spellings: string[]
  type: BusinessType
  center: Point | null
  sort: PlaceSort
  now: Date
}

/** @throws AppError invalid_input for an invalid cursor */
async function businessesOfCity(db: Db, search: CitySearch, limit: number, cursor: string | undefined): Promise<Page<{ id: string }>> {
  const { openAt, after } = readCursor(search, cursor)
  const rows = await licensed(db)
    .select((eb) => ['id', rankIn(search, openAt, eb).as('rank'), sql<string>`lower(name)`.as('name')])
    .where('state', '=', search.state)
    .where('city', 'in', search.spellings)
    .where('type', '=', search.type)
    .$if(after !== null, (query) =>
      query.where(
        (eb) =>
          sql<boolean>`(${rankIn(search, openAt, eb)}, lower(name), id) > (${after?.[0]}::float8, ${after?.[1]}::text, ${after?.[2]}::uuid)`,
      ),
    )
    .orderBy('rank')
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  const time = search.sort === 'open' ? [openAt.toISOString()] : []
  return toPage(rows, limit, ({ rank, name, id }) => [...time, rank, name, id])
}

/** Later pages are sorted by what was open at the time of the first page, so that a business that opens or closes keeps its position. */
function readCursor({ sort, now }: CitySearch, cursor: string | undefined) {
  if (sort !== 'open') return { openAt: now, after: decodeCursor(cursor, ['number', 'string', 'id']) }
  const key = decodeCursor(cursor, ['time', 'number', 'string', 'id'])
  return key ? { openAt: new Date(key[0]), after: [key[1], key[2], key[3]] as const } : { openAt: now, after: null }
}

const hasHours = sql<boolean>`exists (select from locations where locations.id = businesses.id and locations.has_hours)`

/** Lower comes first. Names break ties. With `open`, a business that is closed now comes before one with unknown hours. */
function rankIn({ sort, center }: CitySearch, openAt: Date, eb: Parameters<typeof isOpenAt>[0]) {
  if (sort === 'open')
    return sql<number>`case when ${isOpenAt(eb, openAt)} then 0::float8 when ${hasHours} then 1::float8 else 2::float8 end`
  return sort === 'distance' ? distanceOrFarthest(center) : sql<number>`0::float8`
}

/** When the least recently confirmed item of each menu was confirmed. Omits businesses without items, or with only hidden ones. */
async function menusConfirmedAt(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('products')
    .select((eb) => ['business_id', eb.fn.min('confirmed_at').as('confirmed_at')])
    .where(sql<boolean>`business_id = ${pageIds(ids)}`)
    .where('moderation', 'is', null)
    .groupBy('business_id')
    .execute()
  return new Map(rows.map((row) => [row.business_id, row.confirmed_at.toISOString()]))
}
