import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { utcDate } from '#contracts/age.ts'
import { AppError } from '#server/kernel/errors.ts'
import { judgeAge, requireAdult } from './profile.ts'

describe('judgeAge', () => {
  test.each([
    ['2008-11-21', '2026-11-21', 'adult', 'the eighteenth birthday is today'],
    ['2008-11-22', '2026-11-21', 'underage', 'it is tomorrow'],
    ['2008-02-29', '2026-02-28', 'underage', 'born on February 29: not on February 28 of a common year'],
    ['2008-02-29', '2026-03-01', 'adult', 'but on March 1'],
    ['2010-02-28', '2028-02-28', 'adult', 'February 28, today in a leap year'],
    ['2010-03-01', '2028-02-29', 'underage', 'March 1, on February 29'],
    ['2026-11-22', '2026-11-21', 'impossible', 'born tomorrow'],
    ['2026-11-21', '2026-11-21', 'underage', 'born today'],
    ['1896-11-21', '2026-11-21', 'adult', '130 years old'],
    ['1895-11-21', '2026-11-21', 'impossible', '131 years old'],
    ['0001-01-01', '2026-11-21', 'impossible', 'a slip of the keyboard'],
  ] as const)('judges %s on %s: %s (%s)', (birthday, today, verdict, _why) => {
    expect(judgeAge(birthday, today)).toBe(verdict)
  })

  test('has exactly one day on which each birthday becomes old enough', () => {
    const day = 86_400_000
    const dates = fc.date({ min: new Date('1930-01-01'), max: new Date('2020-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(dates, (date) => {
        const birthday = utcDate(date)
        const year = Number(birthday.slice(0, 4)) + 18
        const eighteenth = new Date(`${year}${birthday.slice(4)}T00:00:00Z`)
        // JavaScript rolls February 29 over to March 1 in common years, as does our rule.
        expect(judgeAge(birthday, utcDate(eighteenth))).toBe('adult')
        expect(judgeAge(birthday, utcDate(new Date(eighteenth.getTime() - day)))).toBe('underage')
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
