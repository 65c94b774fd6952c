import { expect, test } from 'vitest'
import type { WaitingVerification } from '#contracts/verification.ts'
import { expirySentence, sideBySide } from './verification-words.ts'

test.each([
  [null, 'No expiration date listed'],
  ['2026-11-20', 'Expired on November 20, 2026'],
  ['2026-11-21', 'Expires today'],
  ['2026-11-22', 'Expires tomorrow, on November 22, 2026'],
  ['2027-01-20', 'Expires in 60 days, on January 20, 2027'],
  ['2028-11-21', 'Expires on November 21, 2028'],
])('describes the expiration date %s: %s', (day, sentence) => {
  expect(expirySentence(day, '2026-11-21')).toBe(sentence)
})

test('marks only the fields that differ from the register', () => {
  const verification = {
    licenseNumber: '1',
    state: 'CO',
    licenseName: 'A',
    businessType: 'farm',
    statedExpiresOn: null,
    differences: ['name'],
  }
  const register = {
    licenseNumber: '1',
    state: 'CO',
    businessName: 'B',
    businessType: 'farm',
    licenseType: 'Grow',
    expiresOn: '2027-01-01',
  }
  const request = { verification, register } as unknown as WaitingVerification
  const labels = { type: (type: string) => type, state: (code: string) => code }
  const rows = sideBySide(request, labels)
  expect(rows.filter(({ differs }) => differs).map(({ name, stated, register }) => [name, stated, register])).toEqual([['Name', 'A', 'B']])
  expect(rows.map(({ register }) => register)).toEqual(['1', 'CO', 'B', 'farm: Grow', 'January 1, 2027'])
  expect(sideBySide({ ...request, register: null }, labels).every(({ register }) => register === null)).toBe(true)
})
