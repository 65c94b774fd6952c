import { expect, test } from 'vitest'
import { MAX_ZOOM, opensAsList } from './zoom.ts'

test('zooms to a cluster that splits on the way', () => {
  expect(opensAsList(5, 2)).toBe(false)
  expect(opensAsList(14, 3)).toBe(false)
})

test('opens a cluster that never splits as a list of any length', () => {
  expect(opensAsList(MAX_ZOOM + 1, 2)).toBe(true)
  expect(opensAsList(MAX_ZOOM + 1, 453)).toBe(true)
})

test('lists only a few on the last zooms', () => {
  expect(opensAsList(MAX_ZOOM, 5)).toBe(true)
  expect(opensAsList(MAX_ZOOM, 200)).toBe(false)
})
