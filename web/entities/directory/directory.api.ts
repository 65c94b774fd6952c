import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { mapBusinesses } from '#contracts/calls/businesses.ts'
import { suggestPlaces } from '#contracts/calls/search.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { maxPins } from '#contracts/limits.ts'
import type { Place } from '#contracts/search.endpoints.ts'
import { minuteMs } from '#contracts/time.ts'
import type { MapArea } from '#web/entities/map/index.tsx'
import { call, callOptions } from '#web/lib/call.ts'
import type { DiscoverSearch } from './discover-params.ts'
import { type MapQuery, mapFilters } from './discover-search.ts'

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
export const pinsOptions = (search: DiscoverSearch, total: number, window: PinWindow | null) => {
  // The total of a searched area says nothing about what is outside it.
  const isWhole = total <= fewPins && !search.area
  return queryOptions({
    ...ask({ ...mapFilters(search), ...(!isWhole && window) }),
    enabled: isWhole || window !== null,
    // Businesses open and close. The map updates a pin at its next change but doesn't know the one after that.
    refetchInterval: 30 * minuteMs,
    // Keep the old pins until the new ones arrive, to avoid flicker.
    placeholderData: keepPreviousData,
  })
}

export const loadPlaces = (text: string, signal: AbortSignal): Promise<Place[]> => call(suggestPlaces, { query: { q: text } }, { signal })

export type PinWindow = { bbox: string; zoom: number }

/** Up to this many pins are fetched at once, without refetching on moves. Below the server's limit to spare phones. */
export const fewPins = maxPins * 0.4

/**
 * Query window for `area`: its box snapped to a grid of half a screen, at a whole zoom level. Small moves then reuse the cached response.
 */
export function pinWindow({ west, south, east, north, zoom }: MapArea): PinWindow {
  const level = Math.max(0, Math.floor(zoom))
  const step = 360 / 2 ** (level + 1)
  const down = (degrees: number) => Math.floor(degrees / step) * step
  const up = (degrees: number) => Math.ceil(degrees / step) * step
  const box = [Math.max(-180, down(west)), Math.max(-90, down(south)), Math.min(180, up(east)), Math.min(90, up(north))]
  return { bbox: box.map((degrees) => String(Math.round(degrees * 1e6) / 1e6)).join(','), zoom: level }
}

/** A window inside a complete one needs no request, so zooming in returns the complete one. */
export function windowWithin(complete: PinWindow, area: MapArea): PinWindow {
  const wanted = pinWindow(area)
  return contains(edgesOf(complete), edgesOf(wanted)) ? complete : wanted
}

type Edges = [west: number, south: number, east: number, north: number]

const edgesOf = ({ bbox }: PinWindow) => bbox.split(',').map(Number) as Edges

/** Always false for windows across the antimeridian, whose west is greater than their east. */
function contains([west, south, east, north]: Edges, [left, bottom, right, top]: Edges): boolean {
  return west <= left && left <= right && right <= east && south <= bottom && top <= north
}
