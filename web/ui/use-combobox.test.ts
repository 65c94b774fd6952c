import { expect, test } from 'vitest'
import { nextActive } from './use-combobox.ts'

test('moves through the options with arrow keys, and through the field between the last and the first', () => {
  expect([-1, 0, 1, 2].map((active) => nextActive(active, 3, 'ArrowDown'))).toEqual([0, 1, 2, -1])
  expect([-1, 2, 1, 0].map((active) => nextActive(active, 3, 'ArrowUp'))).toEqual([2, 1, 0, -1])
})

test('leaves focus in the field if there are no options', () => {
  expect(nextActive(-1, 0, 'ArrowDown')).toBe(-1)
  expect(nextActive(4, 0, 'ArrowUp')).toBe(-1)
})
