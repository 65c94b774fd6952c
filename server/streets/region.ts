import { tileIdToZxy, zxyToTileId } from 'pmtiles'
import { UserFacingError } from '#server/error-line.ts'
import type { BoundingBox } from '#server/kernel/geo/distance.ts'
import { isInState, stateBox } from '#server/kernel/geo/state-shapes.ts'
import { findState } from '#server/kernel/geo/us-states.ts'

/** The region to extract: state codes, and boxes in degrees as `west,south,east,north`. Both sorted, without repetition. */
export type Region = { states: string[]; boxes: string[] }

/** Tile IDs from `first` up to, but not including, `end`. */
export type TileRange = { first: number; end: number }

/** The region is cut along the tiles of this zoom level, which are so small that a state's tolerance of 3 km covers a whole tile. */
const cellZoom = 13

/** @throws UserFacingError for an unknown state or a malformed box */
export function parseRegion(states: readonly string[], boxes: readonly string[]): Region {
  const codes = states
    .flatMap((text) => text.split(','))
    .map((text) => {
      const state = findState(text)
      if (!state) throw new UserFacingError(`"${text}" isn't a state's code. Write, for example, --state CO.`)
      return state.code
    })
  return union({ states: codes, boxes: boxes.map((text) => parseBox(text).join(',')) }, { states: [], boxes: [] })
}

export const union = (a: Region, b: Region): Region => ({
  states: [...new Set([...a.states, ...b.states])].sort(),
  boxes: [...new Set([...a.boxes, ...b.boxes])].sort(),
})

export const isEmpty = ({ states, boxes }: Region): boolean => states.length === 0 && boxes.length === 0

export const describeRegion = ({ states, boxes }: Region): string => {
  const parts = [...states.map((code) => findState(code)?.name ?? code), ...boxes.map((box) => `the area ${box}`)]
  // British English, because American lists have a comma before the last item, unlike the app's sentences.
  return new Intl.ListFormat('en-GB').format(parts)
}

function parseBox(text: string): [west: number, south: number, east: number, north: number] {
  const [west, south, east, north] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const isValid = text.split(',').length === 4 && isWithin(west, 180) && isWithin(east, 180) && isWithin(south, 85) && isWithin(north, 85)
  if (!isValid || (west as number) >= (east as number) || (south as number) >= (north as number)) {
    throw new UserFacingError(
      `"${text}" isn't a box. Write degrees as --bbox west,south,east,north, for example --bbox=-105.3,39.5,-104.6,40.`,
    )
  }
  return [west as number, south as number, east as number, north as number]
}

const isWithin = (degrees: number | undefined, max: number) => degrees !== undefined && Math.abs(degrees) <= max

/** The tiles that show the region from zoom 0 to `maxZoom`, in order, without overlap. */
export function tilesOf(region: Region, maxZoom: number): TileRange[] {
  const cells = cellsOf(region)
  const ranges: TileRange[] = []
  for (let zoom = 0; zoom <= Math.min(maxZoom, cellZoom); zoom++) {
    const shift = 2 ** (cellZoom - zoom)
    const ids = new Set<number>()
    for (const cell of cells) {
      const [, x, y] = tileIdToZxy(cell)
      ids.add(zxyToTileId(zoom, Math.floor(x / shift), Math.floor(y / shift)))
    }
    for (const id of ids) ranges.push({ first: id, end: id + 1 })
  }
  for (let zoom = cellZoom + 1; zoom <= maxZoom; zoom++) {
    // IDs follow a Hilbert curve, on which all tiles within a larger tile are neighbors.
    const inside = 4 ** (zoom - cellZoom)
    for (const cell of cells) {
      const first = firstOf(zoom) + (cell - firstOf(cellZoom)) * inside
      ranges.push({ first, end: first + inside })
    }
  }
  return merged(ranges)
}

/** The number of tiles on all lower zoom levels. */
const firstOf = (zoom: number) => (4 ** zoom - 1) / 3

function merged(ranges: TileRange[]): TileRange[] {
  ranges.sort((a, b) => a.first - b.first)
  const result: TileRange[] = []
  for (const range of ranges) {
    const last = result.at(-1)
    if (last && range.first <= last.end) last.end = Math.max(last.end, range.end)
    else result.push({ ...range })
  }
  return result
}

function cellsOf({ states, boxes }: Region): Set<number> {
  const cells = new Set<number>()
  for (const code of states) {
    for (const box of splitAtAntimeridian(stateBox(code) as BoundingBox)) {
      addCells(cells, box, (latitude, longitude) => isInState(latitude, longitude, code))
    }
  }
  for (const text of boxes) {
    const [west, south, east, north] = parseBox(text)
    addCells(cells, { west, south, east, north }, () => true)
  }
  return cells
}

const splitAtAntimeridian = (box: BoundingBox): BoundingBox[] =>
  box.west <= box.east
    ? [box]
    : [
        { ...box, east: 180 },
        { ...box, west: -180 },
      ]

function addCells(
  cells: Set<number>,
  { west, south, east, north }: BoundingBox,
  isInside: (latitude: number, longitude: number) => boolean,
) {
  const last = 2 ** cellZoom - 1
  const clamp = (value: number) => Math.min(last, Math.max(0, Math.floor(value)))
  for (let x = clamp(columnOf(west)); x <= clamp(columnOf(east)); x++) {
    for (let y = clamp(rowOf(north)); y <= clamp(rowOf(south)); y++) {
      if (isInside(latitudeOf(y + 0.5), longitudeOf(x + 0.5))) cells.add(zxyToTileId(cellZoom, x, y))
    }
  }
}

/** Web Mercator, in tiles of the cells' zoom level. */
const columnOf = (longitude: number) => ((longitude + 180) / 360) * 2 ** cellZoom
const rowOf = (latitude: number) => ((1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2) * 2 ** cellZoom
const longitudeOf = (column: number) => (column / 2 ** cellZoom) * 360 - 180
const latitudeOf = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** cellZoom))) * 180) / Math.PI

/** In degrees, as in the header of an archive. */
export function boundsOf(region: Region): BoundingBox {
  const boxes = [
    ...region.states.flatMap((code) => splitAtAntimeridian(stateBox(code) as BoundingBox)),
    ...region.boxes.map((text) => {
      const [west, south, east, north] = parseBox(text)
      return { west, south, east, north }
    }),
  ]
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    south: Math.min(...boxes.map(({ south }) => south)),
    east: Math.max(...boxes.map(({ east }) => east)),
    north: Math.max(...boxes.map(({ north }) => north)),
  }
}
