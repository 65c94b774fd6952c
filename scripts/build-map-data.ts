/**
 * Builds the map's own geography into `web/entities/map/assets/`: land, state lines, county lines and place names, so the map can draw the
 * country without any external server. Rerun it after `data/places-us.csv` or us-atlas changes:
 *
 *     node_modules/.bin/node scripts/build-map-data.ts
 *
 * The files are GeoJSON: TopoJSON would be a third smaller, but would be decoded on the main thread while the map moves. Layers shown only
 * when zoomed in are split into cells that the map fetches as needed: the renderer copies a layer's data on the main thread, and loading
 * all of the country's towns together would take as long as four frames.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { usStates } from '#server/kernel/geo/us-states.ts'
import { cellOf } from '#web/entities/map/area.ts'
import { cutLines, type Feature, listIn, type Position, point, save, saveCells } from './map-files.ts'

type Box = [left: number, top: number, right: number, bottom: number]
type Label = { name: string; at: Position; population: number; zoom: number }

/** The first and last zoom at which more names appear. */
const FIRST_ZOOM = 3
const LAST_ZOOM = 11
/** Names shown from this zoom on are in separate files that only a zoomed-in map fetches. */
const TOWNS_FROM = 7

const atlas = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('us-atlas/counties-10m.json'), 'utf8')) as Topology<{
  nation: GeometryCollection
  states: GeometryCollection
  counties: GeometryCollection
}>
const { nation, states, counties } = atlas.objects

const land = feature(atlas, nation).features.map((part) => part.geometry)
const stateLines = mesh(atlas, states, (a, b) => a !== b)
const countyLines = mesh(atlas, counties, (a, b) => a !== b && String(a.id).slice(0, 2) === String(b.id).slice(0, 2))
const names = chooseNames(readCities())

save('land.geojson', [...land.map((geometry) => ({ kind: 'land', geometry })), { kind: 'border', geometry: stateLines }])
saveCells('counties', linesByCell(countyLines.coordinates as Position[][]))
save('names.geojson', [
  ...usStates.map(({ code, name, latitude, longitude }) => ({ kind: 'state', code, name, geometry: point([longitude, latitude]) })),
  ...names.filter((name) => name.zoom < TOWNS_FROM).map((name) => ({ kind: 'place', ...place(name) })),
])
saveCells('towns', townsByCell(names.filter((name) => name.zoom >= TOWNS_FROM)))

function readCities(): Label[] {
  const lines = readFileSync(path.join(import.meta.dirname, '../data/places-us.csv'), 'utf8')
    .split('\n')
    .slice(1)
  return lines
    .filter((line) => line.startsWith(','))
    .map((line) => {
      const [, name, , , latitude, longitude, population] = line.split(',')
      return { name: name!, at: [Number(longitude), Number(latitude)], population: Number(population), zoom: Number.POSITIVE_INFINITY }
    })
}

/**
 * Assigns each place the zoom from which its name is shown, by population: a name that would overlap a larger place's name waits for the
 * next zoom. Small towns therefore appear early in empty regions, and the map doesn't have to compute collisions.
 */
function chooseNames(cities: Label[]): Label[] {
  const shown: Label[] = []
  let waiting = cities
  for (let zoom = FIRST_ZOOM; zoom <= LAST_ZOOM; zoom++) {
    const boxes = boxGrid()
    for (const label of shown) boxes.add(labelBox(label, zoom))
    const later: Label[] = []
    for (const label of waiting) {
      const box = labelBox(label, zoom)
      if (label.population < minPopulation(zoom) || boxes.hits(box)) later.push(label)
      else {
        boxes.add(box)
        shown.push({ ...label, zoom })
      }
    }
    waiting = later
  }
  return shown
}

/** Adds more padding at small scales, where names are decoration, than at large ones, where people navigate by them. */
function labelBox({ name, at }: Label, zoom: number): Box {
  const scale = 512 * 2 ** zoom
  const x = ((at[0] + 180) / 360) * scale
  const y = (0.5 - Math.log(Math.tan(Math.PI / 4 + (at[1] * Math.PI) / 360)) / (2 * Math.PI)) * scale
  const air = zoom < 6 ? 2.2 : zoom < 10 ? 1.8 : 1.25
  const [width, height] = [(name.length * 6.5 + 14) * air, 22 * air * 1.4]
  return [x - width / 2, y - height / 2, x + width / 2, y + height / 2]
}

/** Places with fewer than 1,000 people, or an unknown number, appear from zoom 9 if there is room there, or not at all. */
function minPopulation(zoom: number): number {
  return [300_000, 120_000, 40_000, 10_000, 2_500, 1_000, 0, 1_000, 1_000][zoom - FIRST_ZOOM]!
}

/** Spatial index of boxes by grid cell, so each is compared only with its neighbors. */
function boxGrid() {
  const cells = new Map<string, Box[]>()
  const touched = ([left, top, right, bottom]: Box) => {
    const keys: string[] = []
    for (let x = Math.floor(left / 200); x <= Math.floor(right / 200); x++) {
      for (let y = Math.floor(top / 200); y <= Math.floor(bottom / 200); y++) keys.push(`${x} ${y}`)
    }
    return keys
  }
  const overlap = (a: Box, b: Box) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
  return {
    add(box: Box) {
      for (const key of touched(box)) cells.set(key, [...(cells.get(key) ?? []), box])
    },
    hits: (box: Box) => touched(box).some((key) => cells.get(key)?.some((other) => overlap(box, other))),
  }
}

function place({ name, at, zoom, population }: Label) {
  return { name, zoom, ...builtUp(at[1], population), geometry: point([Number(at[0].toFixed(3)), Number(at[1].toFixed(3))]) }
}

/**
 * Size of a town's built-up area, for the tint under it: radius in kilometers of a disk at a thousand people per square
 * kilometer, stretched like the map's projection at that latitude.
 */
function builtUp(latitude: number, population: number): { reach?: number } {
  if (population < 20_000) return {}
  return { reach: Number((Math.sqrt(population / 1000 / Math.PI) / Math.cos((latitude * Math.PI) / 180)).toFixed(1)) }
}

function townsByCell(towns: Label[]): Map<string, Feature[]> {
  const cells = new Map<string, Feature[]>()
  for (const town of towns.map(place)) listIn(cells, cellOf(...town.geometry.coordinates)).push(town)
  return cells
}

function linesByCell(lines: Position[][]): Map<string, Feature[]> {
  return new Map([...cutLines(lines)].map(([cell, coordinates]) => [cell, [{ geometry: { type: 'MultiLineString', coordinates } }]]))
}
