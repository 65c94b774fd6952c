import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeOf, differenceOf, figureText, labeled, periodText, shortFigure, stepOf, stepText, ticksFor } from './figures.tsx'

test('distinguishes too few visitors from none', () => {
  expect([null, 0, 1234].map(figureText)).toEqual(['Fewer than 5', '0', '1,234'])
  expect([null, 0, 1234].map(shortFigure)).toEqual(['<5', '0', '1,234'])
})

test.each([
  [120, 100, '+20%'],
  [90, 120, '−25%'],
  [7, 7, 'No change'],
  [1001, 1000, '±0%'],
  [12, 0, undefined],
  [12, null, undefined],
  [null, 12, undefined],
])('describes %s, compared with %s before, as %s', (value, before, text) => {
  expect(changeOf(value, before)?.text).toBe(text)
})

test('compares people by count instead of percent', () => {
  expect(differenceOf(13, 10)?.text).toBe('+3')
  expect(differenceOf(8, 1010)?.text).toBe('−1,002')
  expect(differenceOf(8, 8)?.direction).toBe('same')
  expect(differenceOf(8, null)).toBeNull()
})

test('formats a day, a week, a month, and a period', () => {
  expect(stepText('2026-11-01', 'day')).toBe('Sun, Nov 1')
  expect(stepText('2026-11-16', 'week')).toBe('Week of Nov 16')
  expect(stepText('2026-11-01', 'month')).toBe('November 2026')
  expect(periodText('2026-10-25', '2026-11-21').replace(/\s/g, ' ')).toBe('Oct 25 – Nov 21')
})

test('replaces a step that the range doesn’t allow', () => {
  expect(stepOf('28d', 'day')).toBe('day')
  expect(stepOf('12m', 'day')).toBe('week')
  expect(stepOf('7d', 'month')).toBe('day')
  expect(stepOf('90d', undefined)).toBe('day')
})

test.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [17, [0, 5, 10, 15, 20]],
  [100, [0, 50, 100]],
  [1234, [0, 500, 1000, 1500]],
])('draws grid lines for values up to %i', (highest, ticks) => expect(ticksFor(highest)).toEqual(ticks))

test('draws at most six grid lines, the top one at or above the highest value', () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), (highest) => {
      const ticks = ticksFor(highest)
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest)
    }),
  )
})

test('labels the last step and as many others as fit', () => {
  expect(labeled(28, 5)).toEqual([3, 9, 15, 21, 27])
  expect(labeled(3, 5)).toEqual([0, 1, 2])
  expect(labeled(0, 5)).toEqual([])
})
