// No schemas: the router loads this file on every page, and Zod would add to the initial bundle.
import { type BusinessType, businessTypes } from '#contracts/business-types.ts'
import type { BusinessSort } from '#contracts/businesses.ts'
import { flagParam, type SearchParams, textParam, wholeParam, wordParam } from '#web/lib/search-params.ts'

/** Discover stores all its state in its address. */
export type DiscoverSearch = {
  search?: string | undefined
  type?: BusinessType | undefined
  /** "Denver, CO", a ZIP code, or `latitude,longitude`. */
  near?: string | undefined
  /** In miles. */
  radius?: number | undefined
  everywhere?: true | undefined
  state?: string | undefined
  verified?: true | undefined
  open?: true | undefined
  sort?: BusinessSort | undefined
  /** Map area as `west,south,east,north`. */
  area?: string | undefined
  view?: 'list' | 'map' | undefined
  /** How much of a phone's map the list covers; half by default. */
  sheet?: 'peek' | 'full' | undefined
}

// As a record, so the compiler reports missing sorts.
const sorts: Record<BusinessSort, true> = { highest_rated: true, distance: true, name: true, newest: true }
const wordsOf = <Word extends string>(record: Record<Word, true>) => Object.keys(record) as Word[]

/** Drops invalid values, so old links still work. */
export function readDiscoverSearch(given: SearchParams): DiscoverSearch {
  return {
    search: textParam(given.search, 120),
    type: wordParam(given.type, businessTypes),
    near: textParam(given.near, 120),
    radius: wholeParam(given.radius, 1, 500),
    everywhere: flagParam(given.everywhere),
    state: stateCode(given.state),
    verified: flagParam(given.verified),
    open: flagParam(given.open),
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
