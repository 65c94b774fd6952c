import { expect, test } from 'vitest'
import { cellBox, cellOf } from './area.ts'
import backdrop from './assets/backdrop.geojson?raw'
import land from './assets/land.geojson?raw'
import names from './assets/names.geojson?raw'

type Named = { properties: { name: string; kind?: string; zoom?: number; code?: string }; geometry: { coordinates: [number, number] } }

const read = (text: string) => JSON.parse(text) as { features: Named[] }

test('includes the largest cities and all states in the first file', () => {
  const { features } = read(names)
  const named = (name: string) => features.find(({ properties }) => properties.name === name && properties.kind === 'place')
  expect(named('New York')?.properties.zoom).toBeLessThanOrEqual(4)
  expect(named('Denver')?.geometry.coordinates).toEqual([-104.985, 39.739])
  expect(features.filter(({ properties }) => properties.kind === 'state')).toHaveLength(56)
  expect(features.every(({ properties }) => properties.kind === 'state' || properties.zoom! < 7)).toBe(true)
})

const townCells = import.meta.glob<string>('./assets/towns/*.geojson', { query: '?raw', import: 'default', eager: true })
const sceneryCells = import.meta.glob<string>('./assets/scenery/*.geojson', { query: '?raw', import: 'default', eager: true })
const countyCells = import.meta.glob<string>('./assets/counties/*.geojson', { query: '?raw', import: 'default', eager: true })

test('shows towns only from zoom 7, each in the file of its cell', () => {
  const cells = Object.entries(townCells).map(([file, text]) => ({ file, features: read(text).features }))
  expect(cells.flatMap(({ features }) => features).length).toBeGreaterThan(15_000)
  for (const { file, features } of cells) {
    const elsewhere = features.filter(({ geometry }) => !file.endsWith(`/${cellOf(...geometry.coordinates)}.geojson`))
    expect(elsewhere, file).toEqual([])
    expect(features.every(({ properties }) => properties.zoom! >= 7)).toBe(true)
  }
  expect(cells.some(({ features }) => features.some(({ properties }) => properties.name === 'Brighton'))).toBe(true)
})

test('keeps every cell’s file under 256 KB', () => {
  for (const [file, text] of Object.entries({ ...townCells, ...countyCells, ...sceneryCells }))
    expect(text.length, file).toBeLessThan(256 * 1024)
})

test('includes land, state lines, and county lines', () => {
  expect(read(land).features.map(({ properties }) => properties.kind)).toEqual(['land', 'border'])
  // Cells without counties have no file.
  expect(Object.keys(countyCells)).toContain('./assets/counties/-105_35.geojson')
  expect(Object.values(countyCells).every((text) => read(text).features.length === 1)).toBe(true)
})

test('shows neighboring countries, the Great Lakes, and major rivers from afar, and other scenery in cells', () => {
  const named = (text: string) => read(text).features.flatMap(({ properties }) => (properties.name ? [properties.name] : []))
  const kinds = (text: string) => new Set(read(text).features.map(({ properties }) => properties.kind))
  expect(kinds(backdrop)).toEqual(new Set(['abroad', 'lake', 'lake-below', 'lake-name', 'river']))
  expect(named(backdrop)).toEqual(expect.arrayContaining(['Lake Michigan', 'Great Salt Lake', 'Mississippi River', 'Rio Grande']))
  expect(backdrop.length).toBeLessThan(640 * 1024)
  const colorado = sceneryCells['./assets/scenery/-110_40.geojson']!
  expect(kinds(colorado)).toEqual(new Set(['lake', 'lake-name', 'park', 'park-name', 'river', 'urban']))
  expect(Object.values(sceneryCells).flatMap(named)).toEqual(expect.arrayContaining(['Rocky Mountain', 'Mojave National Preserve']))
})

test('keeps scenery inside its cell', () => {
  for (const [file, text] of Object.entries(sceneryCells)) {
    const cell = cellBox(/([^/]+)\.geojson$/.exec(file)![1]!)
    // A line belongs to the cell of its midpoint and may extend into the next.
    for (const { properties, geometry } of read(text).features.filter((each) => each.properties.kind !== 'river')) {
      for (const [x, y] of positionsIn(geometry.coordinates)) {
        const isInside = x >= cell.west && x <= cell.east && y >= cell.south && y <= cell.north
        expect(isInside, `${properties.kind} ${x},${y} in ${file}`).toBe(true)
      }
    }
  }
})

function positionsIn(coordinates: unknown): [number, number][] {
  const list = coordinates as unknown[]
  return typeof list[0] === 'number' ? [list as [number, number]] : list.flatMap(positionsIn)
}
