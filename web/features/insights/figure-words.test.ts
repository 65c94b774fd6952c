import { expect, test } from 'vitest'
import { changeOf, differenceOf, figureText, periodText, shortFigure, stepText } from './figure-words.ts'
import { stepOf } from './periods.ts'

test('too few is not none', () => {
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
])('%s after %s is %s', (value, before, text) => {
  expect(changeOf(value, before)?.text).toBe(text)
})

test('heads are counted, not compared in percent', () => {
  expect(differenceOf(13, 10)?.text).toBe('+3')
  expect(differenceOf(8, 1010)?.text).toBe('−1,002')
  expect(differenceOf(8, 8)?.direction).toBe('same')
  expect(differenceOf(8, null)).toBeNull()
})

test('days are those of the business, wherever one looks from', () => {
  expect(stepText('2026-11-01', 'day')).toBe('Sun, Nov 1')
  expect(stepText('2026-11-16', 'week')).toBe('Week of Nov 16')
  expect(stepText('2026-11-01', 'month')).toBe('November 2026')
  expect(periodText('2026-10-25', '2026-11-21').replace(/\s/g, ' ')).toBe('Oct 25 – Nov 21')
})

test('a year is not shown by days', () => {
  expect(stepOf('28d', 'day')).toBe('day')
  expect(stepOf('12m', 'day')).toBe('week')
  expect(stepOf('7d', 'month')).toBe('day')
  expect(stepOf('90d', undefined)).toBe('day')
})
