import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OpenInterval, SpecialDay, WeeklyHours } from '#contracts/locations.ts'
import { addDays } from '#contracts/time.ts'
import { localTime } from '#server/kernel/time-zones.ts'
import { openNow } from './opening-hours.ts'

const at = (time: string) => new Date(time)
const nineToFive = Array.from({ length: 7 }, () => [{ opens: 540, closes: 1020 }])
const closed: WeeklyHours = Array.from({ length: 7 }, () => [])
const only = (weekday: number, ...intervals: OpenInterval[]): WeeklyHours => closed.map((day, i) => (i === weekday ? intervals : day))
const newYork = { timeZone: 'America/New_York', specialDays: [] as SpecialDay[] }

describe('openNow', () => {
  it('uses the location’s local time', () => {
    expect(openNow({ ...newYork, hours: nineToFive }, at('2026-11-23T13:59:59Z'))).toEqual({
      isOpen: false,
      changesAt: at('2026-11-23T14:00:00Z'),
      note: null,
    })
    expect(openNow({ ...newYork, hours: nineToFive }, at('2026-11-23T14:00:00Z'))).toMatchObject({
      isOpen: true,
      changesAt: at('2026-11-23T22:00:00Z'),
    })
    expect(openNow({ ...newYork, hours: nineToFive }, at('2026-11-23T22:00:00Z')).isOpen).toBe(false)
  })

  it('remains open past midnight, and lets the previous evening run into a holiday', () => {
    const friday = only(4, { opens: 1080, closes: 120 })
    const specialDays = [{ day: '2026-11-28', intervals: [], note: 'Harvest party' }]
    expect(openNow({ ...newYork, hours: friday }, at('2026-11-28T06:59:00Z')).isOpen).toBe(true)
    expect(openNow({ ...newYork, hours: friday, specialDays }, at('2026-11-28T06:59:00Z'))).toEqual({
      isOpen: true,
      changesAt: at('2026-11-28T07:00:00Z'),
      note: 'Harvest party',
    })
    expect(openNow({ ...newYork, hours: friday }, at('2026-11-28T07:00:00Z')).isOpen).toBe(false)
  })

  it('uses the special hours on a special day', () => {
    const specialDays = [
      { day: '2026-12-24', intervals: [{ opens: 600, closes: 720 }], note: 'Holiday' },
      { day: '2026-12-25', intervals: [], note: '' },
    ]
    const hours = { ...newYork, hours: nineToFive, specialDays }
    expect(openNow(hours, at('2026-12-24T14:30:00Z'))).toEqual({ isOpen: false, changesAt: at('2026-12-24T15:00:00Z'), note: 'Holiday' })
    expect(openNow(hours, at('2026-12-24T17:00:00Z'))).toMatchObject({ isOpen: false, changesAt: at('2026-12-26T14:00:00Z') })
    expect(openNow(hours, at('2026-12-25T17:00:00Z')).note).toBeNull()
  })

  it('announces no change for a location that is always or never open', () => {
    const always = closed.map(() => [{ opens: 0, closes: 1440 }])
    const overnight = closed.map(() => [{ opens: 360, closes: 360 }])
    for (const hours of [always, overnight]) {
      expect(openNow({ ...newYork, hours }, at('2026-03-08T06:59:00Z'))).toEqual({ isOpen: true, changesAt: null, note: null })
    }
    expect(openNow({ ...newYork, hours: closed }, at('2026-03-08T06:59:00Z'))).toEqual({ isOpen: false, changesAt: null, note: null })
  })

  it('follows local time when the clocks change', () => {
    const sunday = only(6, { opens: 540, closes: 1020 })
    // Clocks go forward on March 8 and back on November 1, so nine in the morning is a different UTC hour.
    expect(openNow({ ...newYork, hours: sunday }, at('2026-03-08T12:00:00Z')).changesAt).toEqual(at('2026-03-08T13:00:00Z'))
    expect(openNow({ ...newYork, hours: sunday }, at('2026-11-01T12:00:00Z')).changesAt).toEqual(at('2026-11-01T14:00:00Z'))
    // On the night of the change, seven hours on the clock are six or eight actual hours.
    const night = only(5, { opens: 1320, closes: 300 })
    const length = (opens: string) => {
      const { isOpen, changesAt } = openNow({ ...newYork, hours: night }, at(opens))
      expect(isOpen).toBe(true)
      return ((changesAt?.getTime() ?? 0) - at(opens).getTime()) / 3_600_000
    }
    expect(length('2026-11-01T02:00:00Z')).toBe(8)
    expect(length('2026-03-08T03:00:00Z')).toBe(6)
  })

  it('matches the posted hours at any moment', () => {
    const interval = fc.record({ opens: fc.integer({ min: 0, max: 1439 }), closes: fc.integer({ min: 0, max: 1440 }) })
    const week = fc.array(fc.array(interval, { maxLength: 3 }), { minLength: 7, maxLength: 7 })
    const zone = fc.constantFrom('America/New_York', 'America/St_Johns', 'Europe/Berlin', 'Asia/Kathmandu')
    // Far from any clock change, posted hours are unambiguous.
    const moment = fc.date({ min: at('2026-06-01T00:00:00Z'), max: at('2026-09-01T00:00:00Z'), noInvalidDate: true })
    const special = fc.option(fc.array(interval, { maxLength: 2 }), { nil: null })
    fc.assert(
      fc.property(week, zone, moment, special, (hours, timeZone, now, holiday) => {
        const { date, minute } = localTime(timeZone, now)
        const specialDays = holiday ? [{ day: date, intervals: holiday, note: '' }] : []
        const on = (day: string) =>
          specialDays.find((each) => each.day === day)?.intervals ?? hours[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] ?? []
        const isOpen =
          on(date).some(({ opens, closes }) => minute >= opens && (closes <= opens || minute < closes)) ||
          on(addDays(date, -1)).some(({ opens, closes }) => closes <= opens && minute < closes)
        expect(openNow({ timeZone, hours, specialDays }, now).isOpen).toBe(isOpen)
      }),
      { numRuns: 300 },
    )
  })

  it('announces exactly when the location next opens or closes', () => {
    const interval = fc.record({ opens: fc.integer({ min: 0, max: 1439 }), closes: fc.integer({ min: 0, max: 1440 }) })
    const week = fc.array(fc.array(interval, { maxLength: 2 }), { minLength: 7, maxLength: 7 })
    const moment = fc.date({ min: at('2026-03-01T00:00:00Z'), max: at('2026-11-10T00:00:00Z'), noInvalidDate: true })
    fc.assert(
      fc.property(week, moment, (hours, now) => {
        const place = { ...newYork, hours }
        const { isOpen, changesAt } = openNow(place, now)
        if (!changesAt) return
        expect(changesAt.getTime()).toBeGreaterThan(now.getTime())
        expect(openNow(place, new Date(changesAt.getTime() - 1)).isOpen).toBe(isOpen)
        expect(openNow(place, changesAt).isOpen).toBe(!isOpen)
      }),
      { numRuns: 200 },
    )
  })
})
