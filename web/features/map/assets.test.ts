import { expect, test } from 'vitest'
import counties from './assets/counties.geojson?raw'
import land from './assets/land.geojson?raw'
import names from './assets/names.geojson?raw'
import towns from './assets/towns.geojson?raw'

type Named = { properties: { name: string; kind?: string; zoom?: number; code?: string }; geometry: { coordinates: [number, number] } }

const read = (text: string) => JSON.parse(text) as { features: Named[] }

test('the names of the largest cities and of all states come with the first file', () => {
  const { features } = read(names)
  const named = (name: string) => features.find(({ properties }) => properties.name === name && properties.kind === 'place')
  expect(named('New York')?.properties.zoom).toBeLessThanOrEqual(4)
  expect(named('Denver')?.geometry.coordinates).toEqual([-104.985, 39.739])
  expect(features.filter(({ properties }) => properties.kind === 'state')).toHaveLength(56)
  expect(features.every(({ properties }) => properties.kind === 'state' || properties.zoom! < 7)).toBe(true)
})

test('towns wait for the file that comes with zoom 7', () => {
  const { features } = read(towns)
  expect(features.length).toBeGreaterThan(15_000)
  expect(features.every(({ properties }) => properties.zoom! >= 7)).toBe(true)
  expect(features.some(({ properties }) => properties.name === 'Brighton')).toBe(true)
})

test('land, state lines and county lines', () => {
  expect(read(land).features.map(({ properties }) => properties.kind)).toEqual(['land', 'border'])
  expect(read(counties).features).toHaveLength(1)
})
