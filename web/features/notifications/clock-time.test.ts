import { expect, test } from 'vitest'
import { fromClock, spanWords, toClock } from './clock-time.ts'

test('every minute of the day goes to the field and back', () => {
  for (let minute = 0; minute < 1440; minute++) expect(fromClock(toClock(minute))).toBe(minute)
  expect(toClock(1439)).toBe('23:59')
})

test.each(['', '24:00', '7:00', '12:60', '1200', '12:00:00'])('%s is no time', (text) => {
  expect(fromClock(text)).toBeNull()
})

test.each([
  [1320, 420, '10 PM to 7 AM, 9 hours'],
  [0, 720, '12 AM to 12 PM, 12 hours'],
  [780, 825, '1 PM to 1:45 PM, 45 minutes'],
  [1439, 60, '11:59 PM to 1 AM, 1 hour 1 minute'],
  [480, 480, '8 AM to 8 AM, 24 hours'],
])('%i until %i → %s', (from, until, words) => {
  expect(spanWords({ from, until })).toBe(words)
})
