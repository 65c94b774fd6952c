import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { mapBusinesses } from '#contracts/calls/businesses.ts'
import { suggestPlaces } from '#contracts/calls/places.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { Place } from '#contracts/places.ts'
import { call, callOptions } from '#web/lib/call.ts'
import type { DiscoverSearch } from './discover-params.ts'
import { type MapQuery, mapFilters } from './discover-search.ts'
import { fewPins, type PinWindow } from './pin-window.ts'

const ask = (query: MapQuery) => callOptions(mapBusinesses, { query })

/** An empty box: the response has the count and the place, but no pins. */
const nowhere = '0,0,0,0'

/** Number of matches, and the place named by the search. For a searched area, the number inside it. */
export const summaryOptions = (search: DiscoverSearch) =>
  queryOptions({
    ...ask({ ...mapFilters(search), bbox: search.area ?? nowhere }),
    // If only filters change, keep the heading and count until the new response arrives.
    placeholderData: (previous: ResponseOf<typeof mapBusinesses> | undefined, query) =>
      query && hasSamePlace(search, query.queryKey[2]) ? previous : undefined,
    select: ({ total, place, pins }) => ({ place, total: search.area ? pins.reduce((sum, pin) => sum + pin.count, 0) : total }),
  })

const hasSamePlace = (search: DiscoverSearch, before: MapQuery) => {
  const { q, near, radius } = mapFilters(search)
  return q === before.q && near === before.near && radius === before.radius && (search.area ?? nowhere) === before.bbox
}

export type Summary = NonNullable<ReturnType<NonNullable<ReturnType<typeof summaryOptions>['select']>>>

/** Pins of a search with `total` matches, limited to the map's window if there are many. Disabled until that window is known. */
export const pinsOptions = (search: DiscoverSearch, total: number, window: PinWindow | null) =>
  queryOptions({
    ...ask({ ...mapFilters(search), ...(total > fewPins && window) }),
    enabled: total <= fewPins || window !== null,
    // Keep the old pins until the new ones arrive, to avoid flicker.
    placeholderData: keepPreviousData,
  })

export const loadPlaces = (text: string, signal: AbortSignal): Promise<Place[]> => call(suggestPlaces, { query: { q: text } }, { signal })
