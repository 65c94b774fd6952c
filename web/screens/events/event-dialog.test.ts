import { expect, it } from 'vitest'
import { laterBy, localTime } from './event-dialog.tsx'

it('shows the event’s local time in the form', () => {
  expect(localTime('2026-12-04T01:00:00Z', 'America/Denver')).toBe('2026-12-03T18:00')
  expect(localTime('2027-03-15T00:00:00Z', 'America/Denver')).toBe('2027-03-14T18:00')
  expect(localTime('2026-12-03T07:05:00Z', 'America/Denver')).toBe('2026-12-03T00:05')
})

it('moves a local time by minutes', () => {
  expect(laterBy('2026-12-31T23:30', 120)).toBe('2027-01-01T01:30')
})
