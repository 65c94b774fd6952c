import { expect, it } from 'vitest'
import { quietMinutesLeft } from './recipient.ts'

it('computes how long quiet hours last, even past midnight', () => {
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
