// No schemas: the router loads this file on every page, and Zod would add to the initial bundle.
import { type BusinessType, businessTypes } from '#contracts/business-types.ts'
import type { BusinessSort } from '#contracts/businesses.ts'
import { type SearchParams, textParam, wholeParam, wordParam } from '#web/lib/search-params.ts'

/** All state of Discover is in its address. */
export type DiscoverSearch = {
  search?: string | undefined
  type?: BusinessType | undefined
  /** "Denver, CO", a ZIP code, or `latitude,longitude`. */
  near?: string | undefined
  /** Miles around `near`. */
  radius?: number | undefined
  /** All places, instead of those near the person's city. */
  everywhere?: true | undefined
  /** Two-letter code. */
  state?: string | undefined
  verified?: true | undefined
  /** Open now. */
  open?: true | undefined
  sort?: BusinessSort | undefined
  /** Map area as `west,south,east,north`. */
  area?: string | undefined
  /** For phones; wide screens show both. */
  view?: 'list' | 'map' | undefined
  /** How much of the phone's map the list covers; half by default. */
  sheet?: 'peek' | 'full' | undefined
}

// A record, so that the compiler reports a sort missing here.
const sorts: Record<BusinessSort, true> = { highest_rated: true, distance: true, name: true, newest: true }
const wordsOf = <Word extends string>(record: Record<Word, true>) => Object.keys(record) as Word[]

/** Invalid values are dropped, so that old links keep working. */
export function readDiscoverSearch(given: SearchParams): DiscoverSearch {
  return {
    search: textParam(given.search, 120),
    type: wordParam(given.type, businessTypes),
    near: textParam(given.near, 120),
    radius: wholeParam(given.radius, 1, 500),
    everywhere: given.everywhere === true ? true : undefined,
    state: stateCode(given.state),
    verified: given.verified === true ? true : undefined,
    open: given.open === true ? true : undefined,
    sort: wordParam(given.sort, wordsOf(sorts)),
    area: typeof given.area === 'string' && isBox(given.area) ? given.area : undefined,
    view: wordParam(given.view, ['list', 'map']),
    sheet: wordParam(given.sheet, ['peek', 'full']),
  }
}

function stateCode(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : undefined
}

function isBox(value: string): boolean {
  const [west, south, east, north, ...rest] = value.split(',').map(Number)
  if (west === undefined || south === undefined || east === undefined || north === undefined || rest.length > 0) return false
  return Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90 && south <= north
}
