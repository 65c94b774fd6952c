import { expect, test } from 'vitest'
import { mapTarget } from './discover-screen.tsx'

const pin = (latitude: number, longitude: number) => ({
  id: `${latitude}`,
  slug: null,
  name: null,
  type: null,
  latitude,
  longitude,
  precision: null,
  count: 1,
})
const denver = { label: 'Denver, CO', latitude: 39.74, longitude: -104.99, radiusMiles: 25, otherText: '' }
const colorado = { label: 'Colorado', latitude: 39, longitude: -105.5, radiusMiles: null, otherText: '' }

test('shows a searched area unchanged, regardless of other parameters', () => {
  expect(mapTarget({ area: '-105,39,-104,40' }, { total: 3, place: denver }, [pin(1, 1)])).toEqual({
    west: -105,
    south: 39,
    east: -104,
    north: 40,
  })
})

test('shows a place with its radius in each direction', () => {
  const box = mapTarget({}, { total: 214, place: denver }, []) as { west: number; south: number; east: number; north: number }
  expect(box.north - box.south).toBeCloseTo(50 / 69, 5)
  // A degree of longitude is shorter than a degree of latitude, by the cosine of the latitude.
  expect((box.east - box.west) * Math.cos((39.74 * Math.PI) / 180)).toBeCloseTo(50 / 69, 5)
  expect((box.east + box.west) / 2).toBeCloseTo(-104.99, 5)
})

test('shows the area with a search’s matches unless there are too many or none', () => {
  const pins = [pin(40, -105), pin(41, -106)]
  expect(mapTarget({}, { total: 2, place: null }, pins)).toEqual({ west: -106.05, south: 39.95, east: -104.95, north: 41.05 })
  expect(mapTarget({}, { total: 7000, place: null }, pins)).toBeUndefined()
  expect(mapTarget({}, { total: 0, place: null }, [])).toBeUndefined()
})

test('fits a state’s businesses, or shows the whole state if there are too many', () => {
  expect(mapTarget({}, { total: 1, place: colorado }, [pin(40, -105)])).toMatchObject({ south: 39.95 })
  expect(mapTarget({}, { total: 2600, place: colorado }, [pin(40, -105)])).toEqual({ latitude: 39, longitude: -105.5, zoom: 5.5 })
})

test('leaves the map in place until the server responds', () => {
  expect(mapTarget({}, null, [])).toBeUndefined()
})
