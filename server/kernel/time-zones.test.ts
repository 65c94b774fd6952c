import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addMonths, guessTimeZone, isTimeZone, localTime, momentOf } from './time-zones.ts'

it('recognizes the existing time zones', () => {
  expect(['UTC', 'America/Denver', 'Europe/Berlin', 'Asia/Kolkata'].filter(isTimeZone)).toHaveLength(4)
  expect(['', 'Denver', '+01:00', 'America/Atlantis', '../etc/passwd'].filter(isTimeZone)).toEqual([])
})

it('guesses the time zone of a place by its county, otherwise by its state', () => {
  const guess = (state: string, place: { city?: string; zip?: string } = {}) => guessTimeZone({ country: 'US', state, ...place })
  expect(guess('OR')).toBe('America/Los_Angeles')
  expect(guess('OR', { city: 'Portland' })).toBe('America/Los_Angeles')
  expect(guess('OR', { city: 'Ontario' })).toBe('America/Boise')
  expect(guess('OR', { city: 'A town that we don’t know', zip: '97914' })).toBe('America/Boise')
  expect(guess('MI', { city: 'Iron Mountain' })).toBe('America/Menominee')
  expect(guess('FL', { city: 'Pensacola' })).toBe('America/Chicago')
  expect(guess('TN', { city: 'Knoxville' })).toBe('America/New_York')
  expect(guess('NV', { city: 'West Wendover' })).toBe('America/Denver')
  expect(guess('NV', { city: 'Elko' })).toBe('America/Los_Angeles')
  // The city of Jasper is in a different county than its name suggests.
  expect(guess('IN', { city: 'Jasper' })).toBe('America/New_York')
  // A ZIP code of another state is a mistake.
  expect(guess('CO', { zip: '97914' })).toBe('America/Denver')
})

it('computes local time in summer and winter', () => {
  expect(localTime('America/Denver', new Date('2026-01-05T06:59:00Z'))).toEqual({ date: '2026-01-04', minute: 23 * 60 + 59, weekday: 0 })
  expect(localTime('America/Denver', new Date('2026-07-06T06:00:00Z'))).toEqual({ date: '2026-07-06', minute: 0, weekday: 1 })
  expect(localTime('Asia/Kolkata', new Date('2026-07-06T20:00:00Z'))).toEqual({ date: '2026-07-07', minute: 90, weekday: 2 })
})

it('converts a local time to an instant and back', () => {
  expect(new Date(momentOf('America/Denver', '2026-07-06', 0)).toISOString()).toBe('2026-07-06T06:00:00.000Z')
  expect(new Date(momentOf('America/Denver', '2026-07-06', 1440)).toISOString()).toBe('2026-07-07T06:00:00.000Z')
  const zone = fc.constantFrom('America/New_York', 'America/St_Johns', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC')
  const moment = fc.date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2030-01-01T00:00:00Z'), noInvalidDate: true })
  fc.assert(
    fc.property(zone, moment, (timeZone, at) => {
      const { date, minute } = localTime(timeZone, at)
      expect(localTime(timeZone, new Date(momentOf(timeZone, date, minute)))).toEqual(localTime(timeZone, at))
    }),
  )
})

it('resolves an ambiguous time to the first of the two, and a skipped time to the change itself', () => {
  expect(new Date(momentOf('America/New_York', '2026-11-01', 90)).toISOString()).toBe('2026-11-01T05:30:00.000Z')
  expect(new Date(momentOf('America/New_York', '2026-03-08', 150)).toISOString()).toBe('2026-03-08T07:00:00.000Z')
  expect(new Date(momentOf('Europe/Berlin', '2026-03-29', 121)).toISOString()).toBe('2026-03-29T01:00:00.000Z')
})

it('adds months and stays on the same day of the month if it exists', () => {
  expect(addMonths(new Date('2026-01-31T10:20:30.456Z'), 1).toISOString()).toBe('2026-02-28T10:20:30.456Z')
  expect(addMonths(new Date('2028-01-31T00:00:00.000Z'), 1).toISOString()).toBe('2028-02-29T00:00:00.000Z')
  expect(addMonths(new Date('2026-11-21T23:59:59.999Z'), 2).toISOString()).toBe('2027-01-21T23:59:59.999Z')
})

it('adds 28 to 31 days per month, on the same or the last day', () => {
  const times = fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(times, fc.integer({ min: 0, max: 240 }), (from, months) => {
      const to = addMonths(from, months)
      const days = (addMonths(from, months + 1).getTime() - to.getTime()) / 86_400_000
      expect(days).toBeGreaterThanOrEqual(28)
      expect(days).toBeLessThanOrEqual(31)
      expect(to.getUTCMonth()).toBe((from.getUTCMonth() + months) % 12)
      expect(to.toISOString().slice(10)).toBe(from.toISOString().slice(10))
      if (to.getUTCDate() !== from.getUTCDate()) expect(new Date(to.getTime() + 86_400_000).getUTCDate()).toBe(1)
    }),
  )
})
