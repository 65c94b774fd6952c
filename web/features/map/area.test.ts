import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unwrappedBounds, wrappedBox } from './area.ts'

test('a view across the antimeridian comes back into range, west greater than east', () => {
  expect(wrappedBox(170, 50, 195, 60)).toEqual({ west: 170, south: 50, east: -165, north: 60 })
  expect(wrappedBox(-200, 50, -170, 60)).toEqual({ west: 160, south: 50, east: -170, north: 60 })
})

test('a view wider than the world is the world', () => {
  expect(wrappedBox(-300, -95, 120, 95)).toEqual({ west: -180, south: -90, east: 180, north: 90 })
})

test('the renderer gets the corner in the east as the greater number', () => {
  expect(unwrappedBounds({ west: 172, south: 51, east: -130, north: 71 })).toEqual([172, 51, 230, 71])
  expect(unwrappedBounds({ west: -109, south: 37, east: -102, north: 41 })).toEqual([-109, 37, -102, 41])
})

test('there and back again', () => {
  const degrees = (min: number, max: number) => fc.integer({ min, max })
  fc.assert(
    fc.property(degrees(-180, 179), degrees(1, 350), degrees(-80, 0), degrees(1, 80), (west, width, south, north) => {
      const box = wrappedBox(west, south, west + width, north)
      expect(unwrappedBounds(box)).toEqual([west, south, west + width, north])
    }),
  )
})
