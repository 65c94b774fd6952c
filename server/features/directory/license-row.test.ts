import { expect, it } from 'vitest'
import { readLicense, standingOf } from './license-row.ts'
import { columns, HeaderError, type RawRow, readHeader } from './read-records.ts'

const empty = Object.fromEntries(columns.map((column) => [column, ''])) as RawRow
const row = (given: Partial<RawRow>): RawRow => ({
  ...empty,
  state: 'CO',
  dba_name: 'Green Door',
  license_number: '402R-1',
  license_type: 'Stores',
  ...given,
})
const read = (given: Partial<RawRow>) => {
  const result = readLicense(row(given))
  if ('refused' in result) throw new Error(result.refused)
  return result
}
const license = (given: Partial<RawRow>) => read(given).license

it('matches columns by name in any order and lists the expected ones if one is missing', () => {
  const header = readHeader(['DBA_name', 'extra', ' state '])
  expect(header.toRow(['Green', 'x', ' co '])).toMatchObject({ state: 'co', dba_name: 'Green', city: '' })
  expect(() => readHeader(['state', 'name'])).toThrow(HeaderError)
  expect(() => readHeader(['state', 'name'])).toThrow(/no column dba_name.*license_number/)
  expect(() => readHeader(['state', 'dba_name', 'state'])).toThrow(/state twice/)
})

it.each([
  [{ state: '' }, /state is empty/],
  [{ state: 'ZZ' }, /“ZZ” is not a US state/],
  [{ dba_name: '' }, /dba_name is empty/],
  [{ dba_name: 'x'.repeat(201) }, /201 characters/],
  [{ street: 'a\0b' }, /NUL/],
])('refuses %j and names the reason', (given, reason) => {
  expect(readLicense(row(given))).toMatchObject({ refused: expect.stringMatching(reason) })
})

it('distinguishes licenses by state, number, and type, and matches a number in other spellings', () => {
  const key = (given: Partial<RawRow>) => license(given).register_key
  expect(key({ license_number: '402R 00001' })).toBe(
    key({ license_number: '402r-00001', dba_name: 'Renamed', street: '9 Other St', city: 'Denver' }),
  )
  expect(key({ license_type: 'Medical' })).not.toBe(key({ license_type: 'Retail' }))
  expect(key({ state: 'WA' })).not.toBe(key({ state: 'CO' }))
})

it('identifies a license without a number by name, type and place', () => {
  const key = (given: Partial<RawRow>) => license({ license_number: 'Premises License', ...given }).register_key
  expect(license({ license_number: 'Premises License' }).license_number).toBeNull()
  expect(key({ city: 'Denver' })).toBe(key({ city: 'DENVER', dba_name: 'green door llc' }))
  expect(key({ city: 'Denver' })).not.toBe(key({ city: 'Boulder' }))
  expect(key({ dba_name: 'A' })).not.toBe(key({ dba_name: 'B' }))
})

it('gives a business’s licenses at one address the same key, and any others a different key', () => {
  const key = (given: Partial<RawRow>) => license({ city: 'Denver', street: '1 Main Street', ...given }).register_place
  expect(key({ license_number: '2', license_type: 'Cultivations', dba_name: 'GREEN DOOR, LLC' })).toBe(key({ street: '1 Main St.' }))
  expect(key({ street: '2 Main St' })).not.toBe(key({}))
  expect(key({ city: 'Boulder' })).not.toBe(key({}))
  expect(key({ dba_name: 'Blue Door' })).not.toBe(key({}))
  expect(license({ county: 'Clark' }).register_place).toBeNull()
})

it('reads Vermont’s license numbers and business types from the type column', () => {
  expect(license({ state: 'VT', license_number: '', license_type: 'SCLT0073', business_type: 'other' })).toMatchObject({
    license_number: 'SCLT0073',
    license_type: 'Small Cultivator',
    business_type: 'farm',
  })
  expect(license({ state: 'VT', license_number: '', license_type: 'RTLR0001', business_type: 'other' }).business_type).toBe('dispensary')
})

it.each([
  ['dispensary', 'Anything', 'dispensary'],
  ['Smoke Shop', '', 'smoke_shop'],
  ['', 'Retail Cultivation', 'farm'],
  ['', 'Retail Production', 'other'],
  ['', 'Medical Dispensary', 'dispensary'],
  ['', 'Marijuana Courier', 'delivery'],
  ['', '', 'other'],
  ['other', 'Craft Marijuana Cooperative', 'farm'],
])('maps the business type “%s” of a license of type “%s” to %s', (business_type, license_type, expected) => {
  expect(license({ business_type, license_type }).business_type).toBe(expected)
})

it('notes each value that it guessed or couldn’t read', () => {
  expect(read({ business_type: 'castle' }).notes).toEqual(['unknown business type'])
  const odd = read({ license_status: 'Wobbly' })
  expect(odd.license).toMatchObject({ status: 'Wobbly', standing: 'listed' })
  expect(odd.notes).toEqual(['unknown status counted as listed'])
  expect(read({ data_refreshed: 'soon' }).notes).toEqual(['date unreadable'])
  expect(read({ license_expiration: 'never' }).notes).toEqual(['expiry unreadable'])
})

it.each([
  ['', 'CO', 'listed'],
  ['Active', 'NV', 'listed'],
  ['ACTIVE (ISSUED)', 'WA', 'listed'],
  ['ACTIVE TITLE CERTIFICATE', 'WA', 'inactive'],
  ['COMPLETE', 'MA', 'listed'],
  ['Complete', 'AK', 'inactive'],
  ['Delegated', 'AK', 'inactive'],
  ['PAYMENT_PENDING', 'MA', 'inactive'],
  ['Not Operating', 'AZ', 'inactive'],
  ['License Void', 'MI', 'inactive'],
  ['Suspended', 'NV', 'inactive'],
  ['Wobbly', 'CO', null],
])('maps the status “%s” in %s to %s', (status, state, standing) => {
  expect(standingOf(status, state)).toBe(standing)
})

it.each([
  ['(907) 563-9333', '(907) 563-9333'],
  ['1 (646) 752-2787', '(646) 752-2787'],
  ['860.246.HOPE(4673)', '(860) 246-4673'],
  ['(907) 317-2713 ext. 2', '(907) 317-2713 ext. 2'],
  ['Marijuana Establishment', null],
  ['TBD', null],
  ['911', null],
])('reads the phone number “%s” as %s', (phone, expected) => {
  expect(license({ phone }).phone).toBe(expected)
})

it.each([
  ['www.finefettle.com', 'https://www.finefettle.com/'],
  ['http://a.example/shop?utm_source=google&id=3', 'http://a.example/shop?id=3'],
  ['javascript:alert(1)', null],
  ['none', null],
  ['two words.com', null],
])('reads the website “%s” as %s', (website, expected) => {
  expect(license({ website }).website).toBe(expected)
})

it('reads dates in two formats', () => {
  expect(license({ data_refreshed: '2023-09-01T10:00:00Z' }).source_date).toBe('2023-09-01')
  expect(license({ data_refreshed: '9/1/2023' }).source_date).toBe('2023-09-01')
  expect(license({ data_refreshed: '2023-02-30' }).source_date).toBeNull()
})

it('computes the same digest for the same facts, whenever they were read', () => {
  // The digest must equal that of a file without the column, or every license would be rewritten.
  expect(license({ license_expiration: '' }).content_hash).toBe(license({}).content_hash)
  expect(license({ license_expiration: '2027-01-31' })).toMatchObject({ expires_on: '2027-01-31' })
  expect(license({ license_expiration: '2027-01-31' }).content_hash).not.toBe(license({}).content_hash)
  const digest = (given: Partial<RawRow>) => license(given).content_hash
  expect(digest({ data_refreshed: '2024-01-01' })).toBe(digest({ data_refreshed: '2023-01-01' }))
  expect(digest({ phone: '(303) 555-0100' })).not.toBe(digest({}))
})
