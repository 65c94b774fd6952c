import type { CurrentUser } from '#contracts/accounts.ts'
import type { BusinessSort } from '#contracts/businesses.ts'
import type { listBusinesses, searchMap } from '#contracts/calls/businesses.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import { homeRadiusMiles } from '#contracts/limits.ts'
import { nearHome } from '#web/lib/near-home.ts'
import { withoutUnset } from '#web/lib/search-params.ts'
import type { DiscoverSearch } from './discover-params.ts'

/** In miles. The server has the same default for a place named in the text. */
const namedRadius = 25
export const radiusChoices = [5, 10, 25, 50, 100, 250, 500]

export type ListQuery = NonNullable<InputOf<typeof listBusinesses>['query']>
export type MapQuery = NonNullable<InputOf<typeof searchMap>['query']>

type Filters = Pick<ListQuery, 'q' | 'type' | 'near' | 'radius' | 'widen' | 'bbox' | 'state' | 'verified' | 'open'>

/** Empty without filters, a place or a sort order, as in the call whose response the page embeds. */
export function listQuery(search: DiscoverSearch): ListQuery {
  const sort = sortOf(search)
  return { ...placeless(search), ...(search.area ? { bbox: search.area } : {}), ...(sort === 'highest_rated' ? {} : { sort }) }
}

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
    // Only the default radius may grow.
    ...(near && !radius ? { widen: true } : {}),
    ...(state ? { state } : {}),
    ...(verified ? { verified } : {}),
    ...(open ? { open } : {}),
  }
}

/** In miles. The server may enlarge the default radius around `near`. */
export const radiusOf = ({ radius, near }: DiscoverSearch): number => radius ?? (near ? homeRadiusMiles : namedRadius)

/** Sorting by distance falls back to rating without a place or search text. */
export function sortOf({ sort, near, search }: DiscoverSearch): BusinessSort {
  return sort === undefined || (sort === 'distance' && !near && !search) ? 'highest_rated' : sort
}

const point = /^-?\d{1,2}(?:\.\d+)?,\s*-?\d{1,3}(?:\.\d+)?$/
export const isPoint = (near: string | undefined): boolean => near !== undefined && point.test(near)

export function isNarrowed({ search, type, near, state, verified, open, area }: DiscoverSearch): boolean {
  return [search, type, near, state, verified, open, area].some((value) => value !== undefined)
}

type Change = Partial<{ [Key in keyof DiscoverSearch]: DiscoverSearch[Key] }>

/**
 * Starts near the person's city, unless the address contains a place or a search. Text is searched everywhere, because it may name a place.
 */
export function withDefaultPlace(search: DiscoverSearch, user: Pick<CurrentUser, 'location' | 'isLocationKnown'> | null): DiscoverSearch {
  const saysWhere = search.near ?? search.area ?? search.state ?? search.everywhere ?? search.search
  return saysWhere === undefined ? { ...search, ...nearHome(user) } : search
}

/** Clears the searched area and the state. An undefined place means everywhere. */
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

/** The text to find in businesses, without a place that it names. `place` is the one searched. */
export const textToFind = ({ search, near }: DiscoverSearch, place: { otherText: string } | null | undefined): string | undefined =>
  place && !near ? place.otherText : search

/** Searches a map area for this text instead of a place. Rounds the area to about ten meters. */
export function withArea(
  search: DiscoverSearch,
  box: { west: number; south: number; east: number; north: number },
  text: string | undefined,
): DiscoverSearch {
  const area = [box.west, box.south, box.east, box.north].map((degrees) => String(Math.round(degrees * 1e4) / 1e4)).join(',')
  return change(search, {
    area,
    near: undefined,
    everywhere: undefined,
    radius: undefined,
    state: undefined,
    search: text || undefined,
    ...(search.sort === 'distance' ? { sort: undefined } : {}),
  })
}

/** Keeps the view, and the sort unless it needs a place. */
export function withoutFilters({ sort, view, sheet }: DiscoverSearch): DiscoverSearch {
  return change({}, { everywhere: true, sort: sort === 'distance' ? undefined : sort, view, sheet })
}

export const change = (search: DiscoverSearch, changes: Change): DiscoverSearch => withoutUnset({ ...search, ...changes })

export function areaBox(area: string): { west: number; south: number; east: number; north: number } {
  const [west, south, east, north] = area.split(',').map(Number) as [number, number, number, number]
  return { west, south, east, north }
}
