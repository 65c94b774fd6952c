import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  changeOf,
  differenceOf,
  figureText,
  labeled,
  periodText,
  ratePerHundred,
  shortFigure,
  shortStep,
  stepOf,
  stepText,
  ticksFor,
} from './figures.tsx'

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

test.each([
  [0, 40, '0 per 100'],
  [1, 4000, 'under 0.1 per 100'],
  [7, 200, '3.5 per 100'],
  [60, 40, '150 per 100'],
])('shows %i for %i views as a rate per 100 views, which can exceed 100', (value, views, text) => {
  expect(ratePerHundred(value, views)).toBe(text)
})

const plain = (text: string) => text.replace(/\s/g, ' ')

test('formats a day, a week, a month, and a period', () => {
  const period = { from: '2026-11-01', to: '2026-11-30' }
  expect(stepText('2026-11-01', { ...period, by: 'day' })).toBe('Sun, Nov 1')
  expect(stepText('2026-11-16', { ...period, by: 'week' })).toBe('Week of Nov 16')
  expect(stepText('2026-11-01', { ...period, by: 'month' })).toBe('November 2026')
  expect(plain(periodText('2026-10-25', '2026-11-21'))).toBe('Oct 25 – Nov 21')
})

test('shows a partial week or month as a range of days', () => {
  const period = { from: '2026-10-28', to: '2026-11-21' }
  const texts = (by: 'week' | 'month', ...steps: string[]) => steps.map((step) => plain(stepText(step, { ...period, by })))
  expect(texts('week', '2026-10-26', '2026-11-02', '2026-11-16')).toEqual(['Oct 28 – Nov 1', 'Week of Nov 2', 'Nov 16 – 21'])
  expect(texts('month', '2026-10-01', '2026-11-01')).toEqual(['Oct 28 – 31', 'Nov 1 – 21'])
})

test('shows the year of weeks and months only if the period spans two years', () => {
  const months = { from: '2026-02-03', to: '2026-11-21', by: 'month' as const }
  expect(shortStep('2026-11-01', months)).toBe('Nov')
  expect(shortStep('2025-12-01', { ...months, from: '2025-11-22' })).toBe('Dec 2025')
  const weeks = { from: '2025-11-22', to: '2026-11-21', by: 'week' as const }
  expect(stepText('2025-12-01', weeks)).toBe('Week of Dec 1, 2025')
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
