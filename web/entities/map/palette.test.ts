import { expect, test } from 'vitest'
import { css, mix } from './palette.ts'

test('mixes from the first color to the second', () => {
  expect(mix([0, 100, 200], [100, 0, 200], 0)).toEqual([0, 100, 200])
  expect(mix([0, 100, 200], [100, 0, 200], 1)).toEqual([100, 0, 200])
  expect(mix([0, 100, 200], [100, 0, 200], 0.25)).toEqual([25, 75, 200])
})

test('outputs CSS that the renderer parses', () => {
  expect(css([1, 2, 3])).toBe('rgb(1, 2, 3)')
  expect(css([1, 2, 3], 0.5)).toBe('rgba(1, 2, 3, 0.5)')
})
