import { expect, test, vi } from 'vitest'
import { AdultBirthday, isTooYoung, tooYoung } from './profile-schema.ts'

const firstMessage = (birthday: string) => AdultBirthday.safeParse(birthday).error?.issues[0]?.message

test.each([
  ['2008-11-21', '2026-11-21', false],
  ['2008-11-22', '2026-11-21', true],
  ['2008-02-29', '2026-02-28', true],
  ['2008-02-29', '2026-03-01', false],
  ['2026-11-22', '2026-11-21', false],
  ['', '2026-11-21', false],
])('checks whether someone born on %s is too young on %s', (birthday, today, expected) => {
  expect(isTooYoung(birthday, today)).toBe(expected)
})

test('explains why a birthday is invalid', () => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') })
  expect(firstMessage('')).toBe('Birthday is required')
  expect(firstMessage('1990-02-30')).toBe('Enter a date as YYYY-MM-DD')
  expect(firstMessage('2008-11-22')).toBe(tooYoung)
  expect(firstMessage('0199-11-22')).toBe('Check the year of this date')
  expect(firstMessage('2026-11-22')).toBe('Check the year of this date')
  expect(firstMessage('2008-11-21')).toBeUndefined()
  vi.useRealTimers()
})
