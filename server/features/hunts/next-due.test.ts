import { expect, test } from 'vitest'
import { nextDue } from './write-grow-tasks.ts'

test('the next day of a rhythm comes after the day on which it was done', () => {
  expect(nextDue('2026-03-02', 7, '2026-03-02')).toBe('2026-03-09')
  expect(nextDue('2026-03-02', 7, '2026-03-20')).toBe('2026-03-23')
})

test('no day has five digits in its year', () => {
  expect(nextDue('9999-12-30', 7, '2026-03-02')).toBe('9999-12-31')
})
