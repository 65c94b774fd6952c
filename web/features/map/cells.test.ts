import { expect, test } from 'vitest'
import { cellOf, cellsIn } from './cells.ts'

test('a cell is named by its south-west corner', () => {
  expect(cellOf(-104.985, 39.739)).toBe('-105_35')
  expect(cellOf(-105, 40)).toBe('-105_40')
  expect(cellOf(172.5, 52.9)).toBe('170_50')
  expect(cellOf(-170.7, -14.3)).toBe('-175_-15')
})

test('a view wants the cells that it touches, and those that begin just beyond it', () => {
  expect(cellsIn({ west: -104, south: 36, east: -101, north: 39 }, 0)).toEqual(['-105_35'])
  expect(cellsIn({ west: -104, south: 36, east: -100.5, north: 38.5 }, 1)).toEqual(['-105_35', '-100_35'])
  expect(cellsIn({ west: -104, south: 35.5, east: -101.5, north: 39.5 }, 1)).toEqual(['-105_30', '-105_35', '-105_40'])
})

test('a view across the antimeridian wants cells of both sides', () => {
  expect(cellsIn({ west: 172, south: 51, east: -176, north: 54 }, 0)).toEqual(['170_50', '175_50', '-180_50'])
})

test('a view of the whole world wants each cell once', () => {
  const cells = cellsIn({ west: -180, south: -90, east: 180, north: 90 }, 1)
  expect(new Set(cells).size).toBe(cells.length)
  expect(cells).toContain('-180_50')
  expect(cells).toContain('175_50')
})
