import { maxPins } from '../../../contracts/businesses.ts'
import type { MapArea } from '../map/index.tsx'

export type PinWindow = { bbox: string; zoom: number }

/** Up to here all pins of a search come at once, and moving the map asks nothing. Less than the server would send: it is a download on a phone. */
export const fewPins = maxPins * 0.4

/**
 * What to ask for when the map shows `area`: its box, widened to a grid of half a screen, and whole zoom levels. Small moves then ask for
 * what has been asked before.
 */
export function pinWindow({ west, south, east, north, zoom }: MapArea): PinWindow {
  const level = Math.max(0, Math.floor(zoom))
  const step = 360 / 2 ** (level + 1)
  const down = (degrees: number) => Math.floor(degrees / step) * step
  const up = (degrees: number) => Math.ceil(degrees / step) * step
  const box = [Math.max(-180, down(west)), Math.max(-90, down(south)), Math.min(180, up(east)), Math.min(90, up(north))]
  return { bbox: box.map((degrees) => String(Math.round(degrees * 1e6) / 1e6)).join(','), zoom: level }
}

/** Where each business of a window is here, what it contains needs no window of its own: zooming in then asks nothing. */
export function windowWithin(complete: PinWindow, area: MapArea): PinWindow {
  const wanted = pinWindow(area)
  return contains(edgesOf(complete), edgesOf(wanted)) ? complete : wanted
}

type Edges = [west: number, south: number, east: number, north: number]

const edgesOf = ({ bbox }: PinWindow) => bbox.split(',').map(Number) as Edges

/** Windows across the antimeridian, whose west is greater than their east, contain nothing and are contained in nothing. */
function contains([west, south, east, north]: Edges, [left, bottom, right, top]: Edges): boolean {
  return west <= left && left <= right && right <= east && south <= bottom && top <= north
}
