/**
 * Builds the map's scenery into `web/entities/map/assets/`: neighboring countries, water, parks and built-up areas, from Natural Earth. The
 * first argument is a folder with its lakes, rivers, parks and urban areas of North America as GeoJSON; see `data/SOURCES.md`. The
 * countries are in an npm package that only this script uses. To rerun it:
 *
 *     npm install --prefix /tmp/natural --ignore-scripts world-atlas@2.0.2
 *     node_modules/.bin/node scripts/build-map-scenery.ts FOLDER /tmp/natural/node_modules/world-atlas
 *
 * Features visible from afar are in one file; the rest are in the map's cells. Polygons are cut at the edges of their cells.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { cellBox, cellOf, cellsIn } from '#web/entities/map/area.ts'
import { cutLines, type Feature, listIn, midpoint, out, type Position, point, save, saveCells } from './map-files.ts'

type Ring = Position[]
type Polygon = Ring[]
type Box = { west: number; south: number; east: number; north: number }
type Geometry =
  | { type: 'Polygon'; coordinates: Polygon }
  | { type: 'MultiPolygon'; coordinates: Polygon[] }
  | { type: 'LineString'; coordinates: Position[] }
  | { type: 'MultiLineString'; coordinates: Position[][] }
type Natural = { properties: { name: string | null; min_zoom: number | null }; geometry: Geometry }

/** Features shown from this zoom on are in cells. */
const CELLS_FROM = 5
/** Largest error of a simplified line, in degrees: a pixel at zoom 9, 8, 5 and 3. */
const DETAIL = 0.0015
const MEDIUM = 0.003
const COARSE = 0.025
const DISTANT = 0.08
/** Accurate to 110 meters. */
const DECIMALS = 3
/** The part of other countries that the map can show. */
const NEIGHBORHOOD: Box = { west: -180, south: -57, east: -15, north: 84 }
/** The shores of these lakes are the land's own edge, which is more detailed than the shapes of the lakes. */
const GREAT_LAKES =
  /^(Lake (Superior|Michigan|Huron|Erie|Ontario|St\. Clair)|(Whitefish|Saginaw|Georgian) Bay|North Channel|St\. Marys River)$/
const UNITS: [RegExp, string][] = [
  [/ NM & PRES$/, ' National Monument and Preserve'],
  [/ N PRES$/, ' National Preserve'],
  [/ NRRA$/, ' National River and Recreation Area'],
  [/ NRA$/, ' National Recreation Area'],
  [/ NM$/, ' National Monument'],
  [/ NS$/, ' National Seashore'],
  [/ NL$/, ' National Lakeshore'],
]

const [natural, worldAtlas] = process.argv.slice(2)
if (!natural || !worldAtlas) throw new Error('Usage: build-map-scenery.ts FOLDER WORLD_ATLAS')

const isUsLand = landTest()
const cells = new Map<string, Feature[]>()
const afar: Feature[] = [{ kind: 'abroad', geometry: { type: 'MultiPolygon', coordinates: neighbors() } }]

for (const { properties, geometry } of read('lakes')) addLake(properties.name, properties.min_zoom ?? 0, polygonsOf(geometry))
for (const { properties, geometry } of read('parks')) {
  const polygons = simplified(polygonsOf(geometry))
  addToCells('park', {}, polygons)
  addName(
    nameOf(
      'park',
      UNITS.reduce((name, [unit, words]) => name.replace(unit, words), properties.name ?? ''),
      polygons,
    ),
  )
}
for (const { geometry } of read('urban-areas')) {
  const polygons = simplified(polygonsOf(geometry))
  if (isInUs(polygons)) addToCells('urban', {}, polygons)
}
addRivers()
save('backdrop.geojson', afar, DECIMALS)
saveCells('scenery', cells, DECIMALS)

function read(name: string): Natural[] {
  return JSON.parse(readFileSync(path.join(natural!, `${name}.geojson`), 'utf8')).features
}

function polygonsOf(geometry: Geometry): Polygon[] {
  if (geometry.type === 'Polygon') return [geometry.coordinates]
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : []
}

function linesOf(geometry: Geometry): Position[][] {
  if (geometry.type === 'LineString') return [geometry.coordinates]
  return geometry.type === 'MultiLineString' ? geometry.coordinates : []
}

/** Other countries in view, without islands smaller than a few pixels and with detail only near the United States. */
function neighbors(): Polygon[] {
  const world = JSON.parse(readFileSync(path.join(worldAtlas!, 'countries-10m.json'), 'utf8')) as Topology<{
    countries: GeometryCollection<{ name: string }>
  }>
  const others = feature(world, world.objects.countries).features.filter(({ properties }) => properties.name !== 'United States of America')
  return others
    .flatMap(({ geometry }) => polygonsOf(geometry as Geometry))
    .flatMap((polygon) => clipped(polygon, NEIGHBORHOOD))
    .flatMap((polygon) => {
      const isNear = polygon[0]!.some(([x, y]) => y > 24 && y < 50 && x > -125)
      return simplifiedPolygon(polygon, isNear ? nearBorder : () => DISTANT, isNear ? 0.04 : 0.6)
    })
}

/** Error in degrees, small where Mexico and Canada meet the contiguous states and Alaska. */
function nearBorder([x, y]: Position): number {
  const isBorder = (y > 25 && y < 33 && x < -96) || (y > 41.5 && y < 49.6 && x < -66.5) || (y > 54 && x < -129.5 && x > -142)
  if (isBorder) return 0.005
  return y > 62 || y < 20 ? DISTANT : COARSE
}

function addLake(name: string | null, zoom: number, shape: Polygon[]): void {
  const polygons = simplified(shape)
  if (polygons.length === 0) return
  const isShared = GREAT_LAKES.test(name ?? '')
  if (isShared || !isInUs(polygons)) {
    const distant = shape.flatMap((polygon) => simplifiedPolygon(polygon, () => (isShared ? MEDIUM : COARSE), 0.2))
    if (zoom <= 3) afar.push({ kind: 'lake-below', geometry: { type: 'MultiPolygon', coordinates: distant } })
    if (isShared && name?.startsWith('Lake')) afar.push(nameOf('lake', name, polygons))
    return
  }
  const label = name ? nameOf('lake', name, polygons) : null
  if (zoom < CELLS_FROM) {
    afar.push({ kind: 'lake', zoom, geometry: { type: 'MultiPolygon', coordinates: polygons } }, ...(label ? [label] : []))
    return
  }
  addToCells('lake', { zoom }, polygons)
  if (label) addName(label)
}

function addToCells(kind: string, properties: object, polygons: Polygon[]): void {
  for (const cell of cellsIn(boxOf(polygons), 0)) {
    const coordinates = polygons.flatMap((polygon) => clipped(polygon, cellBox(cell)))
    if (coordinates.length > 0) listIn(cells, cell).push({ kind, ...properties, geometry: { type: 'MultiPolygon', coordinates } })
  }
}

function addName(name: ReturnType<typeof nameOf>): void {
  listIn(cells, cellOf(...name.geometry.coordinates)).push(name)
}

function addRivers(): void {
  const groups = new Map<string, { zoom: number; name: string | null; lines: Position[][] }>()
  for (const { properties, geometry } of read('rivers')) {
    const zoom = properties.min_zoom ?? 0
    // The names of smaller rivers are abbreviated and can't be written out reliably.
    const name = zoom < CELLS_FROM ? riverName(properties.name) : null
    const key = `${zoom} ${name}`
    const group = groups.get(key) ?? { zoom, name, lines: [] }
    groups.set(key, group)
    group.lines.push(...linesOf(geometry).flatMap((line) => runsInUs(simplifiedLine(line, () => (zoom < CELLS_FROM ? MEDIUM : DETAIL)))))
  }
  for (const { zoom, name, lines } of groups.values()) {
    if (lines.length === 0) continue
    const river = (coordinates: Position[][]): Feature => ({
      ...{ kind: 'river', zoom, ...(name && { name }) },
      geometry: { type: 'MultiLineString', coordinates },
    })
    if (zoom < CELLS_FROM) afar.push(river(lines))
    else for (const [cell, pieces] of cutLines(lines)) listIn(cells, cell).push(river(pieces))
  }
}

/** "Colorado River"; null for a fork or branch. */
function riverName(name: string | null): string | null {
  if (!name || /\b(Fork|Branch|R\.)/.test(name)) return null
  return name.startsWith('Rio ') ? name : `${name.replace('Pend Orielle', 'Pend Oreille')} River`
}

/** The parts of a line within the United States or along its border. */
function runsInUs(line: Position[]): Position[][] {
  const runs: Position[][] = []
  let isOpen = false
  for (const [at, to] of line.entries()) {
    if (at === 0) continue
    const from = line[at - 1]!
    const [x, y] = midpoint(from, to)
    const around: Position[] = [
      [x, y],
      [x + 0.04, y],
      [x - 0.04, y],
      [x, y + 0.04],
      [x, y - 0.04],
    ]
    const isHere = around.some(isUsLand)
    if (isHere && isOpen) runs.at(-1)!.push(to)
    else if (isHere) runs.push([from, to])
    isOpen = isHere
  }
  return runs
}

function nameOf(of: 'lake' | 'park', name: string, polygons: Polygon[]) {
  const { west, east } = boxOf(polygons)
  // The name appears once it fits into the shape's width.
  const zoom = Math.log2((name.length * 4.5 * 360) / (512 * (east - west)))
  return { kind: `${of}-name`, name, zoom: Math.min(11, Math.max(4, Number(zoom.toFixed(1)))), geometry: point(labelPoint(polygons)) }
}

/** The middle of a wide horizontal line inside the shape, near its center. */
function labelPoint(polygons: Polygon[]): Position {
  const { south, north } = boxOf(polygons)
  let best: { at: Position; width: number } = { at: polygons[0]![0]![0]!, width: 0 }
  for (const share of [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]) {
    const y = south + (north - south) * share
    const crossings = polygons.flatMap((polygon) => polygon.flatMap((ring) => crossingsAt(ring, y))).toSorted((a, b) => a - b)
    for (let at = 0; at + 1 < crossings.length; at += 2) {
      const [left, right] = [crossings[at]!, crossings[at + 1]!]
      // A line farther from the center must be clearly wider.
      const width = (right - left) * (1 - Math.abs(share - 0.5))
      if (width > best.width) best = { at: [(left + right) / 2, y], width }
    }
  }
  return best.at
}

function crossingsAt(ring: Ring, y: number): number[] {
  return ring.flatMap(([x, fromY], at) => {
    const [toX, toY] = ring[(at + 1) % ring.length]!
    return fromY > y === toY > y ? [] : [x + ((toX - x) * (y - fromY)) / (toY - fromY)]
  })
}

function isInUs(polygons: Polygon[]): boolean {
  return polygons.some(([outer]) => outer!.some(isUsLand))
}

/** Whether a coordinate is on the map's land. Edges are indexed by tenths of a degree of latitude. */
function landTest(): (at: Position) => boolean {
  const land = JSON.parse(readFileSync(path.join(out, 'land.geojson'), 'utf8')) as {
    features: { properties: { kind: string }; geometry: Geometry }[]
  }
  const bandOf = (y: number) => Math.floor(y * 10)
  const bands = new Map<string, [Position, Position][]>()
  for (const { properties, geometry } of land.features) {
    if (properties.kind !== 'land') continue
    for (const ring of polygonsOf(geometry).flat()) {
      for (const [at, to] of ring.entries()) {
        const from = ring[at - 1] ?? ring.at(-1)!
        const [low, high] = [bandOf(Math.min(from[1], to[1])), bandOf(Math.max(from[1], to[1]))]
        for (let band = low; band <= high; band++) listIn(bands, String(band)).push([from, to])
      }
    }
  }
  return ([x, y]) => {
    const edges = bands.get(String(bandOf(y))) ?? []
    const left = edges.filter(
      ([[fromX, fromY], [toX, toY]]) => fromY > y !== toY > y && x < fromX + ((toX - fromX) * (y - fromY)) / (toY - fromY),
    )
    return left.length % 2 === 1
  }
}

function boxOf(polygons: Polygon[]): Box {
  const box = { west: 180, south: 90, east: -180, north: -90 }
  for (const [x, y] of polygons.flat(2)) {
    box.west = Math.min(box.west, x)
    box.east = Math.max(box.east, x)
    box.south = Math.min(box.south, y)
    box.north = Math.max(box.north, y)
  }
  return box
}

function simplified(polygons: Polygon[]): Polygon[] {
  return polygons.flatMap((polygon) => simplifiedPolygon(polygon, () => DETAIL, 0))
}

/** Empty if the outer ring vanishes or its box is smaller than `smallest` degrees. */
function simplifiedPolygon(polygon: Polygon, tolerance: (at: Position) => number, smallest: number): Polygon[] {
  const rings = polygon.map((ring) => simplifiedLine(ring, tolerance))
  const { west, east, south, north } = boxOf([polygon])
  const isTiny = Math.max(east - west, north - south) < smallest
  return rings[0]!.length < 4 || isTiny ? [] : [rings.filter((ring) => ring.length >= 4)]
}

/** The Douglas–Peucker algorithm: keeps the points that are farther than the tolerance from the line between kept ones. */
function simplifiedLine(line: Position[], tolerance: (at: Position) => number): Position[] {
  const kept = new Set([0, line.length - 1])
  // A ring's ends are the same point, so it needs a second fixed point.
  const isRing = line[0]![0] === line.at(-1)![0] && line[0]![1] === line.at(-1)![1]
  const middle = isRing ? line.length >> 1 : 0
  const spans: [number, number][] = isRing
    ? [
        [0, middle],
        [middle, line.length - 1],
      ]
    : [[0, line.length - 1]]
  kept.add(middle)
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [first, last] = span
    let [farthest, most] = [0, 0]
    for (let at = first + 1; at < last; at++) {
      const off = distance(line[at]!, line[first]!, line[last]!) / tolerance(line[at]!)
      if (off > most) [farthest, most] = [at, off]
    }
    if (most <= 1) continue
    kept.add(farthest)
    spans.push([first, farthest], [farthest, last])
  }
  return line.filter((_, at) => kept.has(at))
}

function distance([x, y]: Position, [fromX, fromY]: Position, [toX, toY]: Position): number {
  const [width, height] = [toX - fromX, toY - fromY]
  const share = Math.max(0, Math.min(1, ((x - fromX) * width + (y - fromY) * height) / (width * width + height * height || 1)))
  return Math.hypot(x - fromX - share * width, y - fromY - share * height)
}

/** The Sutherland–Hodgman algorithm: the part of a polygon inside a box. */
function clipped(polygon: Polygon, { west, south, east, north }: Box): Polygon[] {
  const rings = polygon.map((ring) => {
    let points = clipSide(ring, 0, west, 1)
    points = clipSide(points, 0, east, -1)
    points = clipSide(points, 1, south, 1)
    points = clipSide(points, 1, north, -1)
    return points.length === 0 ? points : [...points, points[0]!]
  })
  return rings[0]!.length < 4 ? [] : [rings.filter((ring) => ring.length >= 4)]
}

/** Keeps the part beyond `limit` on an axis: greater for side 1, smaller for −1. */
function clipSide(ring: Ring, axis: 0 | 1, limit: number, side: 1 | -1): Ring {
  const isInside = (at: Position) => (at[axis] - limit) * side >= 0
  return ring.flatMap((from, at) => {
    const to = ring[(at + 1) % ring.length]!
    if (isInside(from) === isInside(to)) return isInside(from) ? [from] : []
    const share = (limit - from[axis]) / (to[axis] - from[axis])
    const crossing: Position = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
    return isInside(from) ? [from, crossing] : [crossing]
  })
}
