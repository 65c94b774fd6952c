import { expect, test } from 'vitest'
import { opensAsList } from './clusters.ts'
import { MAX_ZOOM } from './zoom.ts'

test('a cluster that breaks up on the way in is zoomed to', () => {
  expect(opensAsList(5, 2)).toBe(false)
  expect(opensAsList(14, 3)).toBe(false)
})

test('one that never breaks up opens as a list, however many are in it', () => {
  expect(opensAsList(MAX_ZOOM + 1, 2)).toBe(true)
  expect(opensAsList(MAX_ZOOM + 1, 453)).toBe(true)
})

test('on the last zooms only a few are listed', () => {
  expect(opensAsList(MAX_ZOOM, 5)).toBe(true)
  expect(opensAsList(MAX_ZOOM, 200)).toBe(false)
})
