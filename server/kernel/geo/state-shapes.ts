import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { type BoundingBox, normalizeLongitude } from './distance.ts'
import { findState, usStates } from './us-states.ts'

/**
 * Checks that a coordinate is in the state that a license names.
 *
 * The shapes are the Census Bureau's cartographic boundaries of 2017, as simplified by us-atlas. Compared with GeoNames, they are off by up
 * to 2.5 km, so a point within `TOLERANCE_KM` of a shape counts as inside. That includes piers, islets and towns on a border river, while a
 * wrong state is much farther away.
 */

export const TOLERANCE_KM = 3

const KM_PER_DEGREE = 111.195
/** Grid step in degrees. Cells are a few tolerances wide, so most are entirely inside or outside. */
const CELL = 0.1

const UNKNOWN = 0
const INSIDE = 1
const OUTSIDE = 2
const NEAR_BORDER = 3

type Shape = {
  /** Rings of all polygons, including holes, as flat x, y lists in unwrapped degrees. */
  rings: Float64Array[]
  west: number
  south: number
  columns: number
  rows: number
  /** `UNKNOWN`, `INSIDE`, `OUTSIDE` or `NEAR_BORDER` for each cell. */
  cells: Uint8Array
  box: BoundingBox
}

/**
 * Whether the point is in the state or within 3 km of it. False for an unknown state code. Takes about 40 ns if the point's cell is
 * entirely inside or outside, and 2 µs near a border. The first call builds the state's grid.
 */
export function isInState(latitude: number, longitude: number, state: string): boolean {
  const shape = shapeOf(state)
  if (shape === null || !Number.isFinite(latitude) || !Number.isFinite(longitude)) return false
  const x = unwrap(longitude)
  const column = Math.floor((x - shape.west) / CELL)
  const row = Math.floor((latitude - shape.south) / CELL)
  if (column < 0 || row < 0 || column >= shape.columns || row >= shape.rows) return false
  const cell = row * shape.columns + column
  if (shape.cells[cell] === UNKNOWN) {
    // No border is near this cell, so the result for its center applies to the whole cell.
    const inside = covers(shape, shape.west + (column + 0.5) * CELL, shape.south + (row + 0.5) * CELL)
    shape.cells[cell] = inside ? INSIDE : OUTSIDE
  }
  if (shape.cells[cell] === NEAR_BORDER) return covers(shape, x, latitude) || isNear(shape, x, latitude)
  return shape.cells[cell] === INSIDE
}

/** The state's bounding box, without the tolerance of `isInState`. Alaska's box crosses the antimeridian (`west` > `east`). */
export function stateBox(state: string): BoundingBox | null {
  return shapeOf(state)?.box ?? null
}

const shapes = new Map<string, Shape>()
let geometries: Map<string, Float64Array[]> | null = null

function shapeOf(state: string): Shape | null {
  const known = shapes.get(state)
  if (known) return known
  const found = findState(state)
  if (!found) return null
  geometries ??= readGeometries()
  const built = shapes.get(found.code) ?? buildShape(geometries.get(found.fips)!)
  shapes.set(found.code, built)
  return built
}

function readGeometries(): Map<string, Float64Array[]> {
  const file = createRequire(import.meta.url).resolve('us-atlas/states-10m.json')
  const topology = JSON.parse(readFileSync(file, 'utf8')) as Topology<{ states: GeometryCollection }>
  const rings = new Map<string, Float64Array[]>()
  for (const state of feature(topology, topology.objects.states).features) {
    const { geometry } = state
    if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon')
      throw new Error(`us-atlas: state ${state.id} is a ${geometry.type}`)
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    const flat = polygons.flat().map((ring) => Float64Array.from(ring.flatMap(([x, y]) => [unwrap(x!), y!])))
    rings.set(String(state.id), flat)
  }
  const missing = usStates.filter((state) => !rings.has(state.fips))
  if (missing.length > 0) throw new Error(`us-atlas: no shape for ${missing.map((state) => state.code).join(', ')}`)
  return rings
}

/**
 * Counts westward from Greenwich past the antimeridian, so no state is cut in two: Guam is at −215°, the last of the Aleutians at −188°.
 */
function unwrap(longitude: number): number {
  return longitude > 0 ? longitude - 360 : longitude
}

function buildShape(rings: Float64Array[]): Shape {
  let west = Infinity
  let south = Infinity
  let east = -Infinity
  let north = -Infinity
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      west = Math.min(west, ring[i]!)
      east = Math.max(east, ring[i]!)
      south = Math.min(south, ring[i + 1]!)
      north = Math.max(north, ring[i + 1]!)
    }
  }
  const box = { west: normalizeLongitude(west), south, east: normalizeLongitude(east), north }
  const marginY = TOLERANCE_KM / KM_PER_DEGREE
  const marginX = marginY / Math.cos(north * (Math.PI / 180))
  const shape: Shape = {
    rings,
    west: west - marginX,
    south: south - marginY,
    columns: Math.ceil((east - west + 2 * marginX) / CELL),
    rows: Math.ceil((north - south + 2 * marginY) / CELL),
    cells: new Uint8Array(0),
    box,
  }
  shape.cells = new Uint8Array(shape.columns * shape.rows)
  for (const ring of rings) markBorder(shape, ring, marginX, marginY)
  return shape
}

/** Marks every cell within the tolerance of a border. Splits long borders, because a diagonal would mark a whole block. */
function markBorder(shape: Shape, ring: Float64Array, marginX: number, marginY: number): void {
  for (let i = 2; i < ring.length; i += 2) {
    const [ax, ay, bx, by] = [ring[i - 2]!, ring[i - 1]!, ring[i]!, ring[i + 1]!]
    const pieces = Math.max(1, Math.ceil(Math.max(Math.abs(bx - ax), Math.abs(by - ay)) / CELL))
    for (let piece = 0; piece < pieces; piece++) {
      const [sx, sy] = [ax + ((bx - ax) * piece) / pieces, ay + ((by - ay) * piece) / pieces]
      const [ex, ey] = [ax + ((bx - ax) * (piece + 1)) / pieces, ay + ((by - ay) * (piece + 1)) / pieces]
      const firstColumn = Math.max(0, Math.floor((Math.min(sx, ex) - marginX - shape.west) / CELL))
      const lastColumn = Math.min(shape.columns - 1, Math.floor((Math.max(sx, ex) + marginX - shape.west) / CELL))
      const firstRow = Math.max(0, Math.floor((Math.min(sy, ey) - marginY - shape.south) / CELL))
      const lastRow = Math.min(shape.rows - 1, Math.floor((Math.max(sy, ey) + marginY - shape.south) / CELL))
      for (let row = firstRow; row <= lastRow; row++) {
        shape.cells.fill(NEAR_BORDER, row * shape.columns + firstColumn, row * shape.columns + lastColumn + 1)
      }
    }
  }
}

/** Applies the even-odd rule to all rings together: a hole or a second polygon only adds crossings. */
function covers(shape: Shape, x: number, y: number): boolean {
  let inside = false
  for (const ring of shape.rings) {
    for (let i = 2; i < ring.length; i += 2) {
      const ay = ring[i - 1]!
      const by = ring[i + 1]!
      if (ay > y !== by > y && x < ((ring[i - 2]! - ring[i]!) * (y - by)) / (ay - by) + ring[i]!) inside = !inside
    }
  }
  return inside
}

/** Whether a border is within the tolerance, on a plane around the point, which is precise enough over 3 km. */
function isNear(shape: Shape, x: number, y: number): boolean {
  const limit = TOLERANCE_KM / KM_PER_DEGREE
  const shrink = Math.cos(y * (Math.PI / 180))
  for (const ring of shape.rings) {
    for (let i = 2; i < ring.length; i += 2) {
      const ay = ring[i - 1]! - y
      const by = ring[i + 1]! - y
      if ((ay > limit && by > limit) || (ay < -limit && by < -limit)) continue
      const ax = (ring[i - 2]! - x) * shrink
      const bx = (ring[i]! - x) * shrink
      if ((ax > limit && bx > limit) || (ax < -limit && bx < -limit)) continue
      const dx = bx - ax
      const dy = by - ay
      const length = dx * dx + dy * dy
      const along = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length))
      const px = ax + along * dx
      const py = ay + along * dy
      if (px * px + py * py <= limit * limit) return true
    }
  }
  return false
}
