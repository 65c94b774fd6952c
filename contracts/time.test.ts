import { expect, test } from 'vitest'
import { licenseDay } from './time.ts'

test.each([
  ['2027-02-01T09:59:00Z', 'the last minute of January in Hawaii'],
  ['2027-02-01T01:00:00Z', 'an evening in Denver'],
  ['2027-01-31T12:00:00Z', 'a morning in New York'],
])('a license is valid through January 31 at %s, %s', (now) => {
  expect(licenseDay(new Date(now))).toBe('2027-01-31')
})

test('a license has expired once its last day is over in every state', () => {
  expect(licenseDay(new Date('2027-02-01T12:00:00Z'))).toBe('2027-02-01')
})
