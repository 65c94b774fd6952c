import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

const now = new Date(2026, 10, 21, 12, 0, 0)
const ago = (seconds: number) => relativeTime(new Date(now.getTime() - seconds * 1000), now)

test.each([
  [-30, 'just now'],
  [0, 'just now'],
  [59, 'just now'],
  [60, '1 minute ago'],
  [3599, '59 minutes ago'],
  [3600, '1 hour ago'],
  [86_399, '23 hours ago'],
  [86_400, 'yesterday'],
  [6 * 86_400, '6 days ago'],
  [7 * 86_400, 'Nov 14'],
])('%i seconds → %s', (seconds, text) => {
  expect(ago(seconds)).toBe(text)
})

test('a day of another year says which', () => {
  expect(relativeTime(new Date(2025, 11, 31), now)).toBe('Dec 31, 2025')
})
