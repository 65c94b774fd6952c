import { expect, test } from 'vitest'
import { boxAround, centerOf } from './location-values.ts'

test('centers a map nearer to the pole than its middle latitude', () => {
  const { latitude, longitude } = centerOf({ west: -105, east: -104, south: 0, north: 60 })
  expect(longitude).toBe(-104.5)
  expect(latitude).toBeCloseTo(35.26, 1)
  expect(centerOf({ west: -105, east: -105, south: 39.7, north: 39.7 })).toEqual({ latitude: 39.7, longitude: -105 })
})

test('centers across the antimeridian', () => {
  expect(centerOf({ west: 170, east: -160, south: 0, north: 0 }).longitude).toBe(-175)
})

test('bounds points in a box', () => {
  expect(boxAround([])).toBeNull()
  expect(
    boxAround([
      { latitude: 40, longitude: -105 },
      { latitude: 39, longitude: -104 },
    ]),
  ).toEqual({
    west: -105.05,
    east: -103.95,
    south: 38.95,
    north: 40.05,
  })
})
