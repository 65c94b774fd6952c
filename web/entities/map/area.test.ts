import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellBox, cellOf, cellsIn, unwrappedBounds, wrappedBox } from './area.ts'

test('wraps a view across the antimeridian with west greater than east', () => {
  expect(wrappedBox(170, 50, 195, 60)).toEqual({ west: 170, south: 50, east: -165, north: 60 })
  expect(wrappedBox(-200, 50, -170, 60)).toEqual({ west: 160, south: 50, east: -170, north: 60 })
})

test('treats a view wider than the world as the whole world', () => {
  expect(wrappedBox(-300, -95, 120, 95)).toEqual({ west: -180, south: -90, east: 180, north: 90 })
})

test('passes the renderer the greater longitude for the eastern corner', () => {
  expect(unwrappedBounds({ west: 172, south: 51, east: -130, north: 71 })).toEqual([172, 51, 230, 71])
  expect(unwrappedBounds({ west: -109, south: 37, east: -102, north: 41 })).toEqual([-109, 37, -102, 41])
})

test('round-trips a box', () => {
  const degrees = (min: number, max: number) => fc.integer({ min, max })
  fc.assert(
    fc.property(degrees(-180, 179), degrees(1, 350), degrees(-80, 0), degrees(1, 80), (west, width, south, north) => {
      const box = wrappedBox(west, south, west + width, north)
      expect(unwrappedBounds(box)).toEqual([west, south, west + width, north])
    }),
  )
})

test('names a cell by its southwest corner', () => {
  expect(cellOf(-104.985, 39.739)).toBe('-105_35')
  expect(cellOf(-105, 40)).toBe('-105_40')
  expect(cellOf(172.5, 52.9)).toBe('170_50')
  expect(cellOf(-170.7, -14.3)).toBe('-175_-15')
})

test('finds a cell’s area by its name', () => {
  expect(cellBox('-105_35')).toEqual({ west: -105, south: 35, east: -100, north: 40 })
  expect(cellBox('-175_-15')).toEqual({ west: -175, south: -15, east: -170, north: -10 })
})

test('requests the cells in view and just beyond it', () => {
  expect(cellsIn({ west: -104, south: 36, east: -101, north: 39 }, 0)).toEqual(['-105_35'])
  expect(cellsIn({ west: -104, south: 36, east: -100.5, north: 38.5 }, 1)).toEqual(['-105_35', '-100_35'])
  expect(cellsIn({ west: -104, south: 35.5, east: -101.5, north: 39.5 }, 1)).toEqual(['-105_30', '-105_35', '-105_40'])
})

test('requests cells on both sides of the antimeridian', () => {
  expect(cellsIn({ west: 172, south: 51, east: -176, north: 54 }, 0)).toEqual(['170_50', '175_50', '-180_50'])
})

test('requests each cell once for the entire world', () => {
  const cells = cellsIn({ west: -180, south: -90, east: 180, north: 90 }, 1)
  expect(new Set(cells).size).toBe(cells.length)
  expect(cells).toContain('-180_50')
  expect(cells).toContain('175_50')
})
