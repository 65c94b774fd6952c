import type { CurrentUser } from '#contracts/accounts.ts'
import type { BusinessSort } from '#contracts/businesses.ts'
import type { listBusinesses, mapBusinesses } from '#contracts/calls/businesses.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import { homeRadiusMiles } from '#contracts/limits.ts'
import { nearHome } from '#web/lib/near-home.ts'
import type { DiscoverSearch } from './discover-params.ts'

/** The server's radius for a place that the text names. */
const namedRadius = 25
export const radiusChoices = [5, 10, 25, 50, 100, 250, 500]

export type ListQuery = NonNullable<InputOf<typeof listBusinesses>['query']>
export type MapQuery = NonNullable<InputOf<typeof mapBusinesses>['query']>

type Filters = Pick<ListQuery, 'q' | 'type' | 'near' | 'radius' | 'widen' | 'bbox' | 'state' | 'verified' | 'open'>

/** Empty without filters: the page embeds that query's response. */
export function listQuery(search: DiscoverSearch): ListQuery {
  const sort = sortOf(search)
  return { ...placeless(search), ...(search.area ? { bbox: search.area } : {}), ...(sort === 'highest_rated' ? {} : { sort }) }
}

/** Filters for the map, whose window replaces the searched area. */
export function mapFilters(search: DiscoverSearch): Filters {
  return placeless(search)
}

function placeless({ search, type, near, radius, state, verified, open }: DiscoverSearch): Filters {
  return {
    ...(search ? { q: search } : {}),
    ...(type ? { type } : {}),
    ...(near ? { near } : {}),
    // A radius needs a place, from `near` or from the text.
    ...(near ? { radius: radius ?? homeRadiusMiles } : radius && search ? { radius } : {}),
    // Only a radius that no one chose may grow.
    ...(near && !radius ? { widen: true } : {}),
    ...(state ? { state } : {}),
    ...(verified ? { verified } : {}),
    ...(open ? { open } : {}),
  }
}

/** In miles. The server may enlarge it unless the person chose it. */
export const radiusOf = ({ radius, near }: DiscoverSearch): number => radius ?? (near ? homeRadiusMiles : namedRadius)

/** Sorting by distance needs a place; without one, falls back to rating. */
export function sortOf({ sort, near, search }: DiscoverSearch): BusinessSort {
  return sort === undefined || (sort === 'distance' && !near && !search) ? 'highest_rated' : sort
}

const point = /^-?\d{1,2}(?:\.\d+)?,\s*-?\d{1,3}(?:\.\d+)?$/
export const isPoint = (near: string | undefined): boolean => near !== undefined && point.test(near)

/** Whether the search filters anything. Sort and view don't count. */
export function isNarrowed({ search, type, near, state, verified, open, area }: DiscoverSearch): boolean {
  return [search, type, near, state, verified, open, area].some((value) => value !== undefined)
}

type Change = Partial<{ [Key in keyof DiscoverSearch]: DiscoverSearch[Key] }>

/**
 * Discover begins near the person's city, unless the address says where to look or names what to look for. Text may name a place
 * itself, so it is searched everywhere.
 */
export function startingAt(search: DiscoverSearch, user: Pick<CurrentUser, 'location' | 'isLocationKnown'> | null): DiscoverSearch {
  const saysWhere = search.near ?? search.area ?? search.state ?? search.everywhere ?? search.search
  return saysWhere === undefined ? { ...search, ...nearHome(user) } : search
}

/** Sets a place, which replaces a searched area and a state. Without one, everywhere. */
export function withPlace(search: DiscoverSearch, near: string | undefined): DiscoverSearch {
  return change(search, {
    near,
    everywhere: near ? undefined : true,
    area: undefined,
    state: undefined,
    radius: near ? search.radius : undefined,
    ...(search.sort === 'distance' ? { sort: undefined } : {}),
  })
}

/**
 * Sets a searched area, which replaces the place, even one named in the text. Rounded to about ten meters.
 */
export function withArea(
  search: DiscoverSearch,
  box: { west: number; south: number; east: number; north: number },
  textNamedPlace: boolean,
): DiscoverSearch {
  const area = [box.west, box.south, box.east, box.north].map((degrees) => String(Math.round(degrees * 1e4) / 1e4)).join(',')
  return change(search, {
    area,
    near: undefined,
    everywhere: undefined,
    radius: undefined,
    state: undefined,
    ...(textNamedPlace ? { search: undefined } : {}),
    ...(search.sort === 'distance' ? { sort: undefined } : {}),
  })
}

/** Clears all filters. Keeps the view, and the sort unless it needs a place. */
export function withoutFilters({ sort, view, sheet }: DiscoverSearch): DiscoverSearch {
  return change({}, { everywhere: true, sort: sort === 'distance' ? undefined : sort, view, sheet })
}

/** Undefined values are removed from the address. */
export function change(search: DiscoverSearch, changes: Change): DiscoverSearch {
  return Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value !== undefined)) as DiscoverSearch
}

export function areaBox(area: string): { west: number; south: number; east: number; north: number } {
  const [west, south, east, north] = area.split(',').map(Number) as [number, number, number, number]
  return { west, south, east, north }
}
