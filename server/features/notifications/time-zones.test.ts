import { expect, it } from 'vitest'
import { isTimeZone, localTime, quietMinutesLeft } from './time-zones.ts'

it('knows the time zones that there are', () => {
  expect(['UTC', 'America/Denver', 'Europe/Berlin', 'Asia/Kolkata'].filter(isTimeZone)).toHaveLength(4)
  expect(['', 'Denver', '+01:00', 'America/Atlantis', '../etc/passwd'].filter(isTimeZone)).toEqual([])
})

it('tells the time of a place, summer and winter', () => {
  expect(localTime('America/Denver', new Date('2026-01-05T06:59:00Z'))).toEqual({ date: '2026-01-04', minute: 23 * 60 + 59, weekday: 0 })
  expect(localTime('America/Denver', new Date('2026-07-06T06:00:00Z'))).toEqual({ date: '2026-07-06', minute: 0, weekday: 1 })
  expect(localTime('Asia/Kolkata', new Date('2026-07-06T20:00:00Z'))).toEqual({ date: '2026-07-07', minute: 90, weekday: 2 })
})

it('tells how long it stays quiet, also past midnight', () => {
  const at = (time: string) => new Date(`2026-03-03T${time}:00Z`)
  const night = { from: 22 * 60, until: 7 * 60 }
  expect(quietMinutesLeft(night, 'UTC', at('21:59'))).toBe(0)
  expect(quietMinutesLeft(night, 'UTC', at('22:00'))).toBe(9 * 60)
  expect(quietMinutesLeft(night, 'UTC', at('06:59'))).toBe(1)
  expect(quietMinutesLeft(night, 'UTC', at('07:00'))).toBe(0)
  const noon = { from: 720, until: 780 }
  expect(quietMinutesLeft(noon, 'UTC', at('12:30'))).toBe(30)
  expect(quietMinutesLeft(noon, 'UTC', at('13:00'))).toBe(0)
  expect(quietMinutesLeft({ from: 60, until: 60 }, 'UTC', at('01:00'))).toBe(1440)
  expect(quietMinutesLeft(null, 'UTC', at('12:30'))).toBe(0)
})
