import { unwrappedBounds, wrap } from './area.ts'
import type { MapBox } from './types.ts'

/** Of a cell of the map's detail, in degrees. */
const SIZE = 5

/** The name of the cell in which a coordinate lies, by its south-west corner. */
export function cellOf(longitude: number, latitude: number): string {
  return `${floorOf(longitude)}_${floorOf(latitude)}`
}

/** The cells that a box touches or that begin less than a margin beyond it, in degrees. */
export function cellsIn(box: MapBox, margin: number): string[] {
  const [west, south, east, north] = unwrappedBounds(box)
  const cells: string[] = []
  for (let x = floorOf(west - margin); x <= Math.min(east + margin, west - margin + 360); x += SIZE) {
    for (let y = floorOf(south - margin); y <= north + margin; y += SIZE) cells.push(`${wrap(x)}_${y}`)
  }
  return [...new Set(cells)]
}

const floorOf = (degrees: number) => Math.floor(degrees / SIZE) * SIZE
