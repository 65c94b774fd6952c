import { expect, test } from 'vitest'
import { drawCityMap } from './place-pages.ts'

const denver = [
  { latitude: 39.7392, longitude: -104.9903 },
  { latitude: 39.7702, longitude: -104.9503 },
  { latitude: 39.6902, longitude: -105.0303 },
]

test('draws two or more positions but never only one', () => {
  expect(drawCityMap([])).toBeNull()
  expect(drawCityMap(denver.slice(0, 1))).toBeNull()
  expect(drawCityMap(denver.slice(0, 2))?.pins).toHaveLength(2)
  // Two shops in one building.
  expect(drawCityMap([denver[0]!, denver[0]!])?.pins).toEqual([
    { x: 320, y: 120 },
    { x: 320, y: 120 },
  ])
})

test('fits all pins into the frame, north up and to scale', () => {
  const map = drawCityMap(denver)!
  for (const { x, y } of map.pins) {
    expect(x).toBeGreaterThanOrEqual(24)
    expect(x).toBeLessThanOrEqual(map.width - 24)
    expect(y).toBeGreaterThanOrEqual(24)
    expect(y).toBeLessThanOrEqual(map.height - 24)
  }
  const [center, northeast, southwest] = map.pins as [{ x: number; y: number }, { x: number; y: number }, { x: number; y: number }]
  expect(northeast.x).toBeGreaterThan(center.x)
  expect(northeast.y).toBeLessThan(center.y)
  // The two are 5.53 miles apart from north to south.
  expect((southwest.y - northeast.y) / (map.scale.length / map.scale.miles)).toBeCloseTo(5.53, 1)
})

test('leaves out a coordinate that is far from the others', () => {
  const map = drawCityMap([...denver, { latitude: 37.1, longitude: -107.2 }])!
  expect(map.pins).toHaveLength(3)
})
