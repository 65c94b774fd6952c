import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { searchMap } from '#contracts/calls/businesses.ts'
import { suggestPlaces } from '#contracts/calls/search.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { maxPins } from '#contracts/limits.ts'
import type { Place } from '#contracts/search.endpoints.ts'
import { minuteMs } from '#contracts/time.ts'
import type { MapArea } from '#web/entities/map/index.tsx'
import { call, callOptions } from '#web/lib/call.ts'
import type { DiscoverSearch } from './discover-params.ts'
import { type MapQuery, mapFilters } from './discover-search.ts'

const ask = (query: MapQuery) => callOptions(searchMap, { query })

/** An empty box: the response includes the count and the place, but no pins. */
const nowhere = '0,0,0,0'

export const summaryOptions = (search: DiscoverSearch) =>
  queryOptions({
    ...ask({ ...mapFilters(search), bbox: search.area ?? nowhere }),
    // If only filters change, show the old heading and count until the response arrives.
    placeholderData: (previous: ResponseOf<typeof searchMap> | undefined, query) =>
      query && hasSamePlace(search, query.queryKey[2]) ? previous : undefined,
    select: ({ total, place, pins }) => ({ place, total: search.area ? pins.reduce((sum, pin) => sum + pin.count, 0) : total }),
  })

const hasSamePlace = (search: DiscoverSearch, before: MapQuery) => {
  const { q, near, radius } = mapFilters(search)
  return q === before.q && near === before.near && radius === before.radius && (search.area ?? nowhere) === before.bbox
}

export type Summary = NonNullable<ReturnType<NonNullable<ReturnType<typeof summaryOptions>['select']>>>

/** If `total` is high or an area is searched, fetches only the map's window, once it is known. */
export const pinsOptions = (search: DiscoverSearch, total: number, window: PinWindow | null) => {
  // For a searched area, `total` excludes everything outside, so a low total doesn't mean that there are few pins.
  const isWhole = total <= fewPins && !search.area
  return queryOptions({
    ...ask({ ...mapFilters(search), ...(!isWhole && window) }),
    enabled: isWhole || window !== null,
    // Each pin has only its next opening or closing time, so fetch later ones.
    refetchInterval: 30 * minuteMs,
    placeholderData: keepPreviousData,
  })
}

type Pin = ResponseOf<typeof searchMap>['pins'][number]

/** The slug of the closed business that opens first, if any is known to open within a week. */
export function firstToOpen(pins: readonly Pick<Pin, 'slug' | 'openNow'>[]): string | null {
  const coming = pins.flatMap(({ slug, openNow }) =>
    slug !== null && openNow?.isOpen === false && openNow.changesAt !== null ? [{ slug, at: openNow.changesAt }] : [],
  )
  return coming.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))[0]?.slug ?? null
}

/** Finds the next business to open, after a search for open businesses that found none. */
export const nextOpeningOptions = (search: DiscoverSearch) =>
  queryOptions({
    ...ask({ ...mapFilters({ ...search, open: undefined }), ...(search.area ? { bbox: search.area } : {}) }),
    select: ({ pins }) => firstToOpen(pins),
  })

export const loadPlaces = (text: string, signal: AbortSignal): Promise<Place[]> => call(suggestPlaces, { query: { q: text } }, { signal })

export type PinWindow = { bbox: string; zoom: number }

/** Up to this many pins are fetched together, and moving the map doesn't refetch. Below the server's limit, to save work on phones. */
export const fewPins = maxPins * 0.4

/** Snaps the area's box to a grid of half a map tile at a whole zoom level, so small moves reuse the cached response. */
export function pinWindow({ west, south, east, north, zoom }: MapArea): PinWindow {
  const level = Math.max(0, Math.floor(zoom))
  const step = 360 / 2 ** (level + 1)
  const down = (degrees: number) => Math.floor(degrees / step) * step
  const up = (degrees: number) => Math.ceil(degrees / step) * step
  const box = [Math.max(-180, down(west)), Math.max(-90, down(south)), Math.min(180, up(east)), Math.min(90, up(north))]
  return { bbox: box.map((degrees) => String(Math.round(degrees * 1e6) / 1e6)).join(','), zoom: level }
}

/** Zooming in within a window whose pins are complete doesn't need a request. */
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
