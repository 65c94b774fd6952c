import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { mapBusinesses } from '../../../contracts/businesses.ts'
import type { ResponseOf } from '../../../contracts/endpoint.ts'
import { type Place, suggestPlaces } from '../../../contracts/places.ts'
import { call, queryKey } from '../../lib/call.ts'
import type { DiscoverSearch } from './discover-params.ts'
import { type MapQuery, mapFilters } from './discover-search.ts'
import { fewPins, type PinWindow } from './pin-window.ts'

const ask = (query: MapQuery) =>
  queryOptions({
    queryKey: queryKey(mapBusinesses, { query }),
    queryFn: ({ signal }) => call(mapBusinesses, { query }, { signal }),
  })

/** A box without an inside: the answer has the number and the place of the search, and no pins. */
const nowhere = '0,0,0,0'

/** How many businesses match, and which place the search names. Inside of a searched area, the number there. */
export const summaryOptions = (search: DiscoverSearch) =>
  queryOptions({
    ...ask({ ...mapFilters(search), bbox: search.area ?? nowhere }),
    // While only filters change, the heading and the count stand still until the new count is there.
    placeholderData: (previous: ResponseOf<typeof mapBusinesses> | undefined, query) =>
      query && hasSamePlace(search, query.queryKey[2]) ? previous : undefined,
    select: ({ total, place, pins }) => ({ place, total: search.area ? pins.reduce((sum, pin) => sum + pin.count, 0) : total }),
  })

const hasSamePlace = (search: DiscoverSearch, before: MapQuery) => {
  const { q, near, radius } = mapFilters(search)
  return q === before.q && near === before.near && radius === before.radius && (search.area ?? nowhere) === before.bbox
}

export type Summary = NonNullable<ReturnType<NonNullable<ReturnType<typeof summaryOptions>['select']>>>

/** The pins of a search that matches `total` businesses, in the map's window when they are many; none until there is a window. */
export const pinsOptions = (search: DiscoverSearch, total: number, window: PinWindow | null) =>
  queryOptions({
    ...ask({ ...mapFilters(search), ...(total > fewPins && window) }),
    enabled: total <= fewPins || window !== null,
    // The old pins stay until the new ones are there: a map that blinks cannot be read.
    placeholderData: keepPreviousData,
  })

export const loadPlaces = (text: string, signal: AbortSignal): Promise<Place[]> => call(suggestPlaces, { query: { q: text } }, { signal })
