import type { BusinessSort, listBusinesses, mapBusinesses } from '../../../contracts/businesses.ts'
import type { InputOf } from '../../../contracts/endpoint.ts'
import type { DiscoverSearch } from './discover-params.ts'

export const defaultRadius = 25
export const radiusChoices = [5, 10, 25, 50, 100, 250, 500]

export type ListQuery = NonNullable<InputOf<typeof listBusinesses>['query']>
export type MapQuery = NonNullable<InputOf<typeof mapBusinesses>['query']>

type Filters = Pick<ListQuery, 'q' | 'type' | 'near' | 'radius' | 'bbox' | 'state' | 'verified'>

/** Without any filter the query is empty: that call's answer comes with the page. */
export function listQuery(search: DiscoverSearch): ListQuery {
  const sort = sortOf(search)
  return { ...placeless(search), ...(search.area ? { bbox: search.area } : {}), ...(sort === 'highest_rated' ? {} : { sort }) }
}

/** The same search for the map's window, whose own box takes the place of the searched area. */
export function mapFilters(search: DiscoverSearch): Filters {
  return placeless(search)
}

function placeless({ search, type, near, radius, state, verified }: DiscoverSearch): Filters {
  return {
    ...(search ? { q: search } : {}),
    ...(type ? { type } : {}),
    ...(near ? { near } : {}),
    // A radius needs a place: one named by `near`, or by the text itself.
    ...(radius && radius !== defaultRadius && (near || search) ? { radius } : {}),
    ...(state ? { state } : {}),
    ...(verified ? { verified } : {}),
  }
}

/** Distance needs a place to measure from; a link that has lost it falls back to the ratings. */
export function sortOf({ sort, near, search }: DiscoverSearch): BusinessSort {
  return sort === undefined || (sort === 'distance' && !near && !search) ? 'highest_rated' : sort
}

const point = /^-?\d{1,2}(?:\.\d+)?,\s*-?\d{1,3}(?:\.\d+)?$/
export const isPoint = (near: string | undefined): boolean => near !== undefined && point.test(near)

/** Does the search leave anything out? The sort and the view do not. */
export function isNarrowed({ search, type, near, state, verified, area }: DiscoverSearch): boolean {
  return [search, type, near, state, verified, area].some((value) => value !== undefined)
}

type Change = Partial<{ [Key in keyof DiscoverSearch]: DiscoverSearch[Key] }>

/** A place was chosen: it takes over from the part of the map that was searched before, and from a state. */
export function withPlace(search: DiscoverSearch, near: string | undefined): DiscoverSearch {
  return change(search, {
    near,
    area: undefined,
    state: undefined,
    radius: near ? search.radius : undefined,
    ...(search.sort === 'distance' ? { sort: undefined } : {}),
  })
}

/**
 * A part of the map was chosen: it takes over from the place, also from one that the text named. Rounded to about ten meters, which no
 * eye can tell apart.
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
    radius: undefined,
    state: undefined,
    ...(textNamedPlace ? { search: undefined } : {}),
    ...(search.sort === 'distance' ? { sort: undefined } : {}),
  })
}

/** All filters off; the sort, unless it needs a place, and the view stay. */
export function withoutFilters({ sort, view }: DiscoverSearch): DiscoverSearch {
  return change({}, { sort: sort === 'distance' ? undefined : sort, view })
}

/** What is undefined leaves the address. */
export function change(search: DiscoverSearch, changes: Change): DiscoverSearch {
  return Object.fromEntries(Object.entries({ ...search, ...changes }).filter(([, value]) => value !== undefined)) as DiscoverSearch
}

/** The corners of the searched area. */
export function areaBox(area: string): { west: number; south: number; east: number; north: number } {
  const [west, south, east, north] = area.split(',').map(Number) as [number, number, number, number]
  return { west, south, east, north }
}
