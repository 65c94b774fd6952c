import { expect, test } from 'vitest'
import { nextDue } from './grow-tasks.ts'

test('schedules a recurring task after the day it was done', () => {
  expect(nextDue('2026-03-02', 7, '2026-03-02')).toBe('2026-03-09')
  expect(nextDue('2026-03-02', 7, '2026-03-20')).toBe('2026-03-23')
})

test('never returns a year with five digits', () => {
  expect(nextDue('9999-12-30', 7, '2026-03-02')).toBe('9999-12-31')
})

test('doesn’t make up for missed dates of a recurring task', () => {
  expect(nextDue('2026-11-10', 2, '2026-11-10')).toBe('2026-11-12')
  expect(nextDue('2026-11-10', 2, '2026-11-09')).toBe('2026-11-12')
  expect(nextDue('2026-11-10', 2, '2026-11-21')).toBe('2026-11-22')
  expect(nextDue('2026-11-10', 7, '2026-11-17')).toBe('2026-11-24')
  expect(nextDue('2026-12-30', 3, '2026-12-30')).toBe('2027-01-02')
})
