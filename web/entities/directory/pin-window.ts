import { maxPins } from '#contracts/limits.ts'
import type { MapArea } from '#web/entities/map/index.tsx'

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
