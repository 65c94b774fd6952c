import type { MapBox } from './types.ts'

/** The renderer counts longitudes on past the antimeridian; everybody else stays within [−180, 180]. */
export function wrappedBox(west: number, south: number, east: number, north: number): MapBox {
  const isWhole = east - west >= 360
  return {
    west: isWhole ? -180 : wrap(west),
    south: Math.max(-90, south),
    east: isWhole ? 180 : wrap(east),
    north: Math.min(90, north),
  }
}

/** South-west and north-east corner, the latter east of the former. */
export function unwrappedBounds({ west, south, east, north }: MapBox): [number, number, number, number] {
  return [west, south, west > east ? east + 360 : east, north]
}

/** A longitude within [−180, 180). */
export function wrap(longitude: number): number {
  return ((((longitude + 180) % 360) + 360) % 360) - 180
}
