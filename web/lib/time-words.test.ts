import { expect, test } from 'vitest'
import { fromClock, relativeTime, spanWords, toClock } from './time-words.ts'

test('round-trips every minute of the day through the field', () => {
  for (let minute = 0; minute < 1440; minute++) expect(fromClock(toClock(minute))).toBe(minute)
  expect(toClock(1439)).toBe('23:59')
})

test.each(['', '24:00', '7:00', '12:60', '1200', '12:00:00'])('rejects %j as a time', (text) => {
  expect(fromClock(text)).toBeNull()
})

test.each([
  [1320, 420, '10 PM to 7 AM, 9 hours'],
  [0, 720, '12 AM to 12 PM, 12 hours'],
  [780, 825, '1 PM to 1:45 PM, 45 minutes'],
  [1439, 60, '11:59 PM to 1 AM, 1 hour 1 minute'],
  [480, 480, '8 AM to 8 AM, 24 hours'],
])('formats the span from minute %i to minute %i as %s', (from, until, words) => {
  expect(spanWords({ from, until })).toBe(words)
})

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
])('formats a time %i seconds ago as %s', (seconds, text) => {
  expect(ago(seconds)).toBe(text)
})

test('counts calendar days in the time zone once 24 hours have passed', () => {
  const wednesday = new Date('2026-11-18T15:00:00Z')
  const seen = (at: string) => relativeTime(new Date(at), wednesday, 'America/Denver')
  expect(seen('2026-11-16T16:00:00Z')).toBe('2 days ago')
  expect(seen('2026-11-17T07:00:00Z')).toBe('yesterday')
  expect(seen('2026-11-17T06:59:00Z')).toBe('2 days ago')
  // The clocks went back on November 1, so that day had 25 hours.
  expect(relativeTime(new Date('2026-10-31T08:00:00Z'), new Date('2026-11-02T06:30:00Z'), 'America/Denver')).toBe('yesterday')
})

test('states the year if it isn’t the current one', () => {
  expect(relativeTime(new Date('2025-12-31T12:00:00Z'), now, 'UTC')).toBe('Dec 31, 2025')
})

test('uses the day and year in the given time zone', () => {
  const at = new Date('2026-01-01T03:00:00Z')
  expect(relativeTime(at, now, 'UTC')).toBe('Jan 1')
  expect(relativeTime(at, now, 'America/Denver')).toBe('Dec 31, 2025')
  expect(relativeTime(new Date('2025-12-31T11:00:00Z'), now, 'Pacific/Kiritimati')).toBe('Jan 1')
})
