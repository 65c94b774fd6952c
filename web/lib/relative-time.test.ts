import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

const now = new Date('2026-11-21T12:00:00Z')
const ago = (seconds: number) => relativeTime(new Date(now.getTime() - seconds * 1000), now, 'UTC')

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
  expect(relativeTime(new Date('2025-12-31T12:00:00Z'), now, 'UTC')).toBe('Dec 31, 2025')
})

test('the day and its year are those of the time zone', () => {
  const at = new Date('2026-01-01T03:00:00Z')
  expect(relativeTime(at, now, 'UTC')).toBe('Jan 1')
  expect(relativeTime(at, now, 'America/Denver')).toBe('Dec 31, 2025')
  expect(relativeTime(new Date('2025-12-31T11:00:00Z'), now, 'Pacific/Kiritimati')).toBe('Jan 1')
})
