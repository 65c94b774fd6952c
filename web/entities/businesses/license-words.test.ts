import { expect, test, vi } from 'vitest'
import { ageWarning, checkedBy, expiryText, licenseBadge, longDate, registerSentence, verificationTitle } from './license-words.ts'

test.each([
  ['listed', true, true, { text: 'Verified', variant: 'verified' }],
  ['listed', true, false, { text: 'License verified', variant: 'leaf' }],
  ['listed', false, false, { text: 'Licensed (state record)', variant: 'outline' }],
  ['inactive', false, false, { text: 'License not active', variant: 'clay' }],
  ['missing', false, false, { text: 'No longer in the register', variant: 'clay' }],
  ['none', false, false, null],
] as const)(
  'labels a license that is %s (verified: %s, Verified badge: %s) as %o',
  (licenseStanding, isLicenseVerified, hasVerifiedBadge, badge) => {
    expect(licenseBadge({ licenseStanding, isLicenseVerified, hasVerifiedBadge })).toEqual(badge)
  },
)

test('states how a license was verified and until when, with the sources', () => {
  expect(verificationTitle({ status: 'expired', expiresOn: '2026-01-31' })).toBe('License expired on January 31, 2026')
  expect(verificationTitle({ status: 'verified', expiresOn: null })).toBe('License verified')
  expect(expiryText({ expiresOn: '2027-01-31', expirySource: 'business' })).toBe('January 31, 2027, according to the business')
  expect(expiryText({ expiresOn: null, expirySource: null })).toBe('No expiration date listed')
  const row = { state: 'CO', source: 'x', sourceDate: '2026-09-01' }
  expect(checkedBy({ basis: 'register', ...row })).toBe('Source: Colorado register, September 1, 2026.')
  expect(checkedBy({ basis: 'code', ...row })).toBe(
    'The business entered a code sent to the contact in the register. Source: Colorado register, September 1, 2026.',
  )
  expect(checkedBy({ basis: 'document', ...row, source: null })).toBe('Two members of our team checked the license document.')
})

test.each(['America/Los_Angeles', 'UTC', 'Pacific/Auckland'])('shows the register’s date unchanged in %s', (zone) => {
  vi.stubEnv('TZ', zone)
  expect(longDate('2023-09-01')).toBe('September 1, 2023')
  expect(longDate('2024-02-29')).toBe('February 29, 2024')
})

test('names the register and its date', () => {
  expect(registerSentence({ state: 'CO', sourceDate: '2023-09-01' })).toBe('Source: Colorado register, September 1, 2023.')
  expect(registerSentence({ state: 'MA', sourceDate: null })).toBe('Source: Massachusetts register, date unknown.')
  expect(registerSentence({ state: 'ZZ', sourceDate: null })).toBe('Source: ZZ register, date unknown.')
})

test.each([
  ['2026-05-25', '2026-11-21', null],
  ['2026-05-24', '2026-11-21', 'That was 6 months ago.'],
  ['2025-12-05', '2026-11-21', 'That was 11 months ago.'],
  ['2025-11-15', '2026-11-21', 'That was more than a year ago.'],
  ['2023-09-01', '2026-11-21', 'That was more than 3 years ago.'],
  [null, '2026-11-21', 'This may be out of date.'],
])('warns about a register entry from %s when it is read on %s: %s', (sourceDate, today, start) => {
  const warning = ageWarning(sourceDate, today)
  if (start === null) expect(warning).toBeNull()
  else expect(warning).toBe(`${start} Check with the state for the current status.`)
})
