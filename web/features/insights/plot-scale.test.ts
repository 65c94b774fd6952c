import fc from 'fast-check'
import { expect, test } from 'vitest'
import { labelled, ticksFor } from './plot-scale.ts'

test.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [17, [0, 5, 10, 15, 20]],
  [100, [0, 50, 100]],
  [1234, [0, 500, 1000, 1500]],
])('lines up to %i', (highest, ticks) => expect(ticksFor(highest)).toEqual(ticks))

test('lines are few, and the highest value is under the last one', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), (highest) => {
      const ticks = ticksFor(highest)
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest)
    }),
  )
})

test('the last step has a label, and the others as fit', () => {
  expect(labelled(28, 5)).toEqual([3, 9, 15, 21, 27])
  expect(labelled(3, 5)).toEqual([0, 1, 2])
  expect(labelled(0, 5)).toEqual([])
})
