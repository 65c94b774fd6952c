import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isTimeZone, localTime, momentOf } from './time-zones.ts'

it('knows the existing time zones', () => {
  expect(['UTC', 'America/Denver', 'Europe/Berlin', 'Asia/Kolkata'].filter(isTimeZone)).toHaveLength(4)
  expect(['', 'Denver', '+01:00', 'America/Atlantis', '../etc/passwd'].filter(isTimeZone)).toEqual([])
})

it('computes local time in summer and winter', () => {
  expect(localTime('America/Denver', new Date('2026-01-05T06:59:00Z'))).toEqual({ date: '2026-01-04', minute: 23 * 60 + 59, weekday: 0 })
  expect(localTime('America/Denver', new Date('2026-07-06T06:00:00Z'))).toEqual({ date: '2026-07-06', minute: 0, weekday: 1 })
  expect(localTime('Asia/Kolkata', new Date('2026-07-06T20:00:00Z'))).toEqual({ date: '2026-07-07', minute: 90, weekday: 2 })
})

it('finds the moment of a local time and reverses it', () => {
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

it('takes the first of two ambiguous times and the change itself for a skipped one', () => {
  expect(new Date(momentOf('America/New_York', '2026-11-01', 90)).toISOString()).toBe('2026-11-01T05:30:00.000Z')
  expect(new Date(momentOf('America/New_York', '2026-03-08', 150)).toISOString()).toBe('2026-03-08T07:00:00.000Z')
  expect(new Date(momentOf('Europe/Berlin', '2026-03-29', 121)).toISOString()).toBe('2026-03-29T01:00:00.000Z')
})
