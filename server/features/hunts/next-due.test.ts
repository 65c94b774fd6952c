import { expect, test } from 'vitest'
import { nextDue } from './grow-tasks.ts'

test('schedules the next date after the day it was done', () => {
  expect(nextDue('2026-03-02', 7, '2026-03-02')).toBe('2026-03-09')
  expect(nextDue('2026-03-02', 7, '2026-03-20')).toBe('2026-03-23')
})

test('never returns a year with five digits', () => {
  expect(nextDue('9999-12-30', 7, '2026-03-02')).toBe('9999-12-31')
})
