import type { BusinessType } from '#contracts/business-types.ts'
import { minuteMs } from '#contracts/time.ts'
import { type PlaceCount, placesPath } from '#contracts/visitor-pages.ts'
import type { Db } from '#server/db/connect.ts'
import { cacheAndRefresh } from '#server/kernel/answer-cache.ts'
import type { Context } from '#server/kernel/context.ts'
import { distanceMiles, type Point } from '#server/kernel/geo/distance.ts'
import { findCity, statePlace } from '#server/kernel/geo/gazetteer.ts'
import { nameSlug } from '#server/kernel/geo/place-names.ts'
import { findState, usStates } from '#server/kernel/geo/us-states.ts'

export type CityCounts = {
  name: string
  slug: string
  state: StateCounts
  /** The name in each spelling that businesses use. */
  spellings: string[]
  /** Null for a city that isn't in the gazetteer. */
  center: Point | null
  types: Map<BusinessType, number>
  /** The part of `types` that is demo content. */
  demoTypes: Map<BusinessType, number>
}

type StateCounts = { name: string; code: string; slug: string; cities: Map<string, CityCounts> }

/** The licensed businesses of all cities, by state slug and city slug. */
export type PlaceCounts = ReadonlyMap<string, StateCounts>

const freshMs = 10 * minuteMs
const maxAgeMs = 60 * minuteMs

export function createPlaceCounts({ db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>): () => Promise<PlaceCounts> {
  return cacheAndRefresh({
    read: async () => groupByCity(await countsByCity(db), await demoCountsByCity(db)),
    freshMs,
    maxAgeMs,
    nowMs: () => clock.now().getTime(),
    onError: (err) => log.error({ err }, 'the counts of places could not be read'),
  })
}

type Row = { state: string; city: string; type: BusinessType; count: number }

function groupByCity(rows: readonly Row[], demoRows: readonly Row[]): PlaceCounts {
  const states = new Map<string, StateCounts>()
  const add = (of: 'types' | 'demoTypes', { state: code, city, type, count }: Row) => {
    const entry = cityOf(states, city, code)
    if (!entry) return
    if (!entry.spellings.includes(city)) entry.spellings.push(city)
    entry[of].set(type, (entry[of].get(type) ?? 0) + count)
  }
  for (const row of rows) add('types', row)
  for (const row of demoRows) add('demoTypes', row)
  return states
}

/** Adds the city if it's missing. Undefined for a city that can't have a page. */
function cityOf(states: Map<string, StateCounts>, city: string, code: string): CityCounts | undefined {
  const state = stateIn(states, code)
  const known = findCity(city, code)
  const name = known?.name ?? city
  const slug = nameSlug(name)
  if (!state || slug === '') return undefined
  const center = known && { latitude: known.latitude, longitude: known.longitude }
  const entry = state.cities.get(slug) ?? { name, slug, state, spellings: [], center, types: new Map(), demoTypes: new Map() }
  state.cities.set(slug, entry)
  return entry
}

/** Undefined for provinces and other places outside the United States, which have no pages yet. */
function stateIn(states: Map<string, StateCounts>, code: string): StateCounts | undefined {
  const found = findState(code)
  if (!found) return undefined
  const { id: slug, name } = statePlace(found)
  const state = states.get(slug) ?? { name, code: found.code, slug, cities: new Map() }
  return states.set(slug, state).get(slug)
}

/** A state by its slug or postal code, whether or not it has businesses. */
export function stateNamed(text: string): { name: string; code: string; slug: string } | null {
  const wanted = text.toLowerCase()
  const found = usStates.find((each) => each.code.toLowerCase() === wanted || statePlace(each).id === wanted)
  return found ? { name: found.name, code: found.code, slug: statePlace(found).id } : null
}

/** Leaves out demo content, and places that have nothing else. */
export function withoutDemo(counts: PlaceCounts): PlaceCounts {
  const real = [...counts].map(([slug, state]) => {
    const cities = [...state.cities].map(([name, city]) => [name, { ...city, types: realTypes(city), demoTypes: new Map() }] as const)
    return [slug, { ...state, cities: new Map(cities.filter(([, { types }]) => types.size > 0)) }] as const
  })
  return new Map(real.filter(([, { cities }]) => cities.size > 0))
}

export const realTypes = ({ types, demoTypes }: Pick<CityCounts, 'types' | 'demoTypes'>): Map<BusinessType, number> =>
  new Map([...types].map(([type, count]) => [type, count - (demoTypes.get(type) ?? 0)] as const).filter(([, count]) => count > 0))

const total = (types: ReadonlyMap<BusinessType, number>) => [...types.values()].reduce((sum, count) => sum + count, 0)

export const cityCount = ({ name, slug, state, types }: CityCounts): PlaceCount => ({
  name,
  path: placesPath(state.slug, slug),
  count: total(types),
  dispensaryCount: types.get('dispensary') ?? 0,
})

export function stateCount({ name, slug, cities }: StateCounts): PlaceCount {
  const counts = [...cities.values()].map(cityCount)
  return {
    name,
    path: placesPath(slug),
    count: counts.reduce((sum, { count }) => sum + count, 0),
    dispensaryCount: counts.reduce((sum, { dispensaryCount }) => sum + dispensaryCount, 0),
  }
}

export function typesOf(cities: Iterable<CityCounts>): Map<BusinessType, number> {
  const sums = new Map<BusinessType, number>()
  for (const { types } of cities) for (const [type, count] of types) sums.set(type, (sums.get(type) ?? 0) + count)
  return sums
}

export const allCities = (counts: PlaceCounts): CityCounts[] => [...counts.values()].flatMap(({ cities }) => [...cities.values()])

export const withState = (city: CityCounts): PlaceCount => ({ ...cityCount(city), name: `${city.name}, ${city.state.code}` })

/** The cities with the most dispensaries. */
export const largestCities = (counts: PlaceCounts, limit: number): PlaceCount[] =>
  allCities(counts)
    .map(withState)
    .filter(({ dispensaryCount }) => dispensaryCount > 0)
    .sort((a, b) => b.dispensaryCount - a.dispensaryCount || b.count - a.count || a.name.localeCompare(b.name))
    .slice(0, limit)

/** Cities around a point, nearest first, without the one at `path`. */
export function citiesNear(
  counts: PlaceCounts,
  center: Point,
  path: string,
  { miles, limit }: { miles: number; limit: number },
): PlaceCount[] {
  return allCities(counts)
    .flatMap((city) => (city.center ? [{ city, miles: distanceMiles(center, city.center) }] : []))
    .filter((each) => each.miles <= miles && cityCount(each.city).path !== path)
    .sort((a, b) => a.miles - b.miles)
    .slice(0, limit)
    .map(({ city }) => withState(city))
}

/** The paths in the sitemap: the index, and all states and cities with real businesses. They all fit in one sitemap. */
export const placePaths = (counts: PlaceCounts): string[] => [
  placesPath(),
  ...[...withoutDemo(counts).values()].flatMap((state) => [
    placesPath(state.slug),
    ...[...state.cities.keys()].map((city) => placesPath(state.slug, city)),
  ]),
]

/** Businesses in good standing in a public register, or with a license verified here. Omits closed and moderated ones. */
export const licensed = (db: Db) =>
  db.selectFrom('businesses').where('moderation', 'is', null).where('closure', 'is', null).where('license_standing', '=', 'listed')

/** Reads only the index `businesses_by_city`. */
const countsByCity = (db: Db) => perCity(licensed(db))

/** There is little demo content, and it has an index. */
const demoCountsByCity = (db: Db) => perCity(licensed(db).where('is_demo', '=', true))

const perCity = (businesses: ReturnType<typeof licensed>) =>
  businesses
    .select((eb) => [
      eb.ref('state').$notNull().as('state'),
      eb.ref('city').$notNull().as('city'),
      'type',
      eb.fn.countAll<number>().as('count'),
    ])
    .where('state', 'is not', null)
    .where('city', 'is not', null)
    .groupBy(['state', 'city', 'type'])
    .execute()
