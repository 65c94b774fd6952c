import { expect, test } from 'vitest'
import { comingHolidays, federalHolidays } from './us-holidays.ts'

test('the federal holidays of 2026', () => {
  expect(federalHolidays(2026).map(({ day }) => day)).toEqual([
    '2026-01-01',
    '2026-01-19',
    '2026-02-16',
    '2026-05-25',
    '2026-06-19',
    '2026-07-04',
    '2026-09-07',
    '2026-10-12',
    '2026-11-11',
    '2026-11-26',
    '2026-12-25',
  ])
})

test('a month that begins or ends with the weekday itself', () => {
  // 2027: May 31 is a Monday; 2028: November 2 is the first Thursday, and January 3 the first Monday.
  expect(federalHolidays(2027)[3]?.day).toBe('2027-05-31')
  expect(federalHolidays(2028)[9]?.day).toBe('2028-11-23')
  expect(federalHolidays(2028)[1]?.day).toBe('2028-01-17')
})

test('from a day on, into the next year', () => {
  const coming = comingHolidays('2026-11-21')
  expect(coming.map(({ name }) => name).slice(0, 3)).toEqual(['Thanksgiving', 'Christmas Day', 'New Year’s Day'])
  expect(coming).toHaveLength(11)
})
