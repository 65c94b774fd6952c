import { expect, test } from 'vitest'
import { cellOf } from './area.ts'
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
const countyCells = import.meta.glob<string>('./assets/counties/*.geojson', { query: '?raw', import: 'default', eager: true })

test('defers towns to the zoom 7 files, each in the file of its cell', () => {
  const cells = Object.entries(townCells).map(([file, text]) => ({ file, features: read(text).features }))
  expect(cells.flatMap(({ features }) => features).length).toBeGreaterThan(15_000)
  for (const { file, features } of cells) {
    const elsewhere = features.filter(({ geometry }) => !file.endsWith(`/${cellOf(...geometry.coordinates)}.geojson`))
    expect(elsewhere, file).toEqual([])
    expect(features.every(({ properties }) => properties.zoom! >= 7)).toBe(true)
  }
  expect(cells.some(({ features }) => features.some(({ properties }) => properties.name === 'Brighton'))).toBe(true)
})

test('has no cell larger than a frame can handle', () => {
  for (const [file, text] of Object.entries({ ...townCells, ...countyCells })) expect(text.length, file).toBeLessThan(256 * 1024)
})

test('includes land, state lines, and county lines', () => {
  expect(read(land).features.map(({ properties }) => properties.kind)).toEqual(['land', 'border'])
  // Counties cover the states only, and some cells have none.
  expect(Object.keys(countyCells)).toContain('./assets/counties/-105_35.geojson')
  expect(Object.values(countyCells).every((text) => read(text).features.length === 1)).toBe(true)
})
