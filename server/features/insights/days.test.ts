import { expect, test } from 'vitest'
import { addDays } from '#contracts/time.ts'
import { daysFrom, stepOf, stepsBetween } from './days.ts'

test('counts days across month ends and leap days', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
  expect(daysFrom('2026-10-25', '2026-11-02')).toBe(8)
})

test('starts weeks on Monday and months on the first', () => {
  expect(stepOf('2026-11-22', 'week')).toBe('2026-11-16')
  expect(stepOf('2026-11-23', 'week')).toBe('2026-11-23')
  expect(stepOf('2026-11-23', 'month')).toBe('2026-11-01')
  expect(stepsBetween('2026-11-21', '2026-12-01', 'week')).toEqual(['2026-11-16', '2026-11-23', '2026-11-30'])
  expect(stepsBetween('2026-11-30', '2026-12-01', 'month')).toEqual(['2026-11-01', '2026-12-01'])
  expect(stepsBetween('2026-11-30', '2026-12-01', 'day')).toEqual(['2026-11-30', '2026-12-01'])
})
