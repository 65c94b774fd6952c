import type { MapBox } from './types.ts'

/** The renderer's longitudes continue past the antimeridian, so this normalizes them to [−180, 180]. */
export function wrappedBox(west: number, south: number, east: number, north: number): MapBox {
  const isWhole = east - west >= 360
  return {
    west: isWhole ? -180 : wrap(west),
    south: Math.max(-90, south),
    east: isWhole ? 180 : wrap(east),
    north: Math.min(90, north),
  }
}

/** Southwest and northeast corners. The second longitude is never less than the first, so it may exceed 180°. */
export function unwrappedBounds({ west, south, east, north }: MapBox): [number, number, number, number] {
  return [west, south, west > east ? east + 360 : east, north]
}

export function wrap(longitude: number): number {
  return ((((longitude + 180) % 360) + 360) % 360) - 180
}

/** In degrees. */
const SIZE = 5

export function cellOf(longitude: number, latitude: number): string {
  return `${floorOf(longitude)}_${floorOf(latitude)}`
}

export function cellBox(cell: string): MapBox {
  const [west, south] = cell.split('_').map(Number) as [number, number]
  return { west, south, east: west + SIZE, north: south + SIZE }
}

/** `margin` is in degrees. */
export function cellsIn(box: MapBox, margin: number): string[] {
  const [west, south, east, north] = unwrappedBounds(box)
  const cells: string[] = []
  for (let x = floorOf(west - margin); x <= Math.min(east + margin, west - margin + 360); x += SIZE) {
    for (let y = floorOf(south - margin); y <= north + margin; y += SIZE) cells.push(`${wrap(x)}_${y}`)
  }
  return [...new Set(cells)]
}

const floorOf = (degrees: number) => Math.floor(degrees / SIZE) * SIZE
