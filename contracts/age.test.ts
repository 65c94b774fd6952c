import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ageOn, isCalendarDate, latestBirthday, utcDate } from './age.ts'
import { addDays } from './time.ts'

describe('ageOn', () => {
  test.each([
    ['2008-11-21', '2026-11-20', 17],
    ['2008-11-21', '2026-11-21', 18],
    ['2008-02-29', '2026-02-28', 17],
    ['2008-02-29', '2026-03-01', 18],
    ['2004-02-29', '2024-02-29', 20],
    ['2000-01-01', '2000-01-01', 0],
    ['2026-12-31', '2026-11-21', -1],
  ])('computes the age of a person born %s on %s as %i', (birthday, today, age) => {
    expect(ageOn(birthday, today)).toBe(age)
  })

  test('increases by one on each birthday', () => {
    const date = fc.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(date, fc.integer({ min: 0, max: 120 }), (born, years) => {
        const birthday = utcDate(born)
        const next = utcDate(new Date(Date.UTC(born.getUTCFullYear() + years, born.getUTCMonth(), born.getUTCDate())))
        const dayBefore = utcDate(new Date(Date.parse(next) - 86_400_000))
        expect(ageOn(birthday, next)).toBe(years)
        expect(ageOn(birthday, dayBefore)).toBe(years - 1)
      }),
    )
  })
})

test.each([18, 19, 20, 21])('finds the latest birthday of people who are %i, for every day of two years', (age) => {
  for (let today = '2027-01-01'; today <= '2028-12-31'; today = addDays(today, 1)) {
    const birthday = latestBirthday(age, today)
    expect([today, isCalendarDate(birthday), ageOn(birthday, today)]).toEqual([today, true, age])
    expect([today, ageOn(addDays(birthday, 1), today)]).toEqual([today, age - 1])
  }
})

test.each([
  ['2024-02-29', true],
  ['2023-02-29', false],
  ['2023-13-01', false],
  ['2023-1-1', false],
  ['yesterday', false],
])('checks whether %s is a calendar date: %s', (text, is) => {
  expect(isCalendarDate(text)).toBe(is)
})
