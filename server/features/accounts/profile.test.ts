import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { utcDate } from '#contracts/age.ts'
import { AppError } from '#server/kernel/errors.ts'
import { checkAge, requireAdult } from './profile.ts'

describe('checkAge', () => {
  test.each([
    ['2008-11-21', '2026-11-21', 'adult', '18 today'],
    ['2008-11-22', '2026-11-21', 'underage', '18 tomorrow'],
    ['2008-02-29', '2026-02-28', 'underage', 'a leap-day birthday in a common year, one day too early'],
    ['2008-02-29', '2026-03-01', 'adult', 'a leap-day birthday in a common year, on March 1'],
    ['2010-02-28', '2028-02-28', 'adult', '18 today, in a leap year'],
    ['2010-03-01', '2028-02-29', 'underage', '18 tomorrow, on a leap day'],
    ['2026-11-22', '2026-11-21', 'impossible', 'born tomorrow'],
    ['2026-11-21', '2026-11-21', 'underage', 'born today'],
    ['1896-11-21', '2026-11-21', 'adult', '130 years old'],
    ['1895-11-21', '2026-11-21', 'impossible', '131 years old'],
    ['0001-01-01', '2026-11-21', 'impossible', 'a typing error'],
  ] as const)('classifies someone born on %s on the date %s as %s (%s)', (birthday, today, verdict, _why) => {
    expect(checkAge(birthday, today)).toBe(verdict)
  })

  test('classifies a person as an adult from their 18th birthday on, and not a day earlier', () => {
    const day = 86_400_000
    const dates = fc.date({ min: new Date('1930-01-01'), max: new Date('2020-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(dates, (date) => {
        const birthday = utcDate(date)
        const year = Number(birthday.slice(0, 4)) + 18
        const eighteenth = new Date(`${year}${birthday.slice(4)}T00:00:00Z`)
        // JavaScript rolls February 29 over to March 1 in common years, as the age rule does.
        expect(checkAge(birthday, utcDate(eighteenth))).toBe('adult')
        expect(checkAge(birthday, utcDate(new Date(eighteenth.getTime() - day)))).toBe('underage')
      }),
    )
  })
})

test('shows the age gate’s sentence next to the field', () => {
  const clock = { now: () => new Date('2026-11-21T23:59:59Z') }
  const refusal = () => {
    try {
      requireAdult('2008-11-22', clock)
    } catch (error) {
      return error instanceof AppError ? { status: error.status, ...error.toAnswer() } : error
    }
  }
  expect(refusal()).toEqual({
    status: 400,
    code: 'underage',
    message: 'You must be 18 years or older to access this platform.',
    fields: { birthday: 'You must be 18 years or older to access this platform.' },
  })
  expect(() => requireAdult('2008-11-21', clock)).not.toThrow()
  expect(() => requireAdult('2036-11-21', clock)).toThrow('Check the year')
})
