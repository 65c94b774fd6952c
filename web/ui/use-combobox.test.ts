import { expect, test } from 'vitest'
import { nextActive } from './use-combobox.ts'

test('moves through the options by arrows, with the field between the ends', () => {
  expect([-1, 0, 1, 2].map((active) => nextActive(active, 3, 'ArrowDown'))).toEqual([0, 1, 2, -1])
  expect([-1, 2, 1, 0].map((active) => nextActive(active, 3, 'ArrowUp'))).toEqual([2, 1, 0, -1])
})

test('keeps the focus in the field without options', () => {
  expect(nextActive(-1, 0, 'ArrowDown')).toBe(-1)
  expect(nextActive(4, 0, 'ArrowUp')).toBe(-1)
})
