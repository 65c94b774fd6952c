import type { MapBox } from './types.ts'

/** Of a cell of the map's detail, in degrees. */
const SIZE = 5

/** The name of the cell in which a coordinate lies, by its south-west corner. */
export function cellOf(longitude: number, latitude: number): string {
  return `${floorOf(longitude)}_${floorOf(latitude)}`
}

/** The cells that a box touches or that begin less than a margin beyond it, in degrees. */
export function cellsIn({ west, south, east, north }: MapBox, margin: number): string[] {
  const eastOfWest = west > east ? east + 360 : east
  const cells: string[] = []
  for (let x = floorOf(west - margin); x <= Math.min(eastOfWest + margin, west - margin + 360); x += SIZE) {
    for (let y = floorOf(south - margin); y <= north + margin; y += SIZE) cells.push(`${wrapped(x)}_${y}`)
  }
  return [...new Set(cells)]
}

const floorOf = (degrees: number) => Math.floor(degrees / SIZE) * SIZE
const wrapped = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180
