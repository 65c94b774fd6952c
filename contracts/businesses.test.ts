import { expect, test } from 'vitest'
import { businessTypes } from './business-types.ts'
import { NewBusiness } from './businesses.ts'

const minimal = { businessName: 'Green Hills', location: 'Denver, CO' }
const problems = (input: object) => NewBusiness.safeParse(input).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []

test('requires a name and a location and has the specified defaults', () => {
  expect(NewBusiness.parse(minimal)).toMatchObject({
    businessType: 'farm',
    description: '',
    address: '',
    phone: '',
    website: '',
    imageUrl: '',
  })
  expect(problems({ businessName: '', location: ' ' })).toEqual([
    ['businessName', 'Business name is required'],
    ['location', 'Location is required'],
  ])
})

test.each(['website', 'imageUrl'])('accepts only a full URL or an empty string as its %s', (field) => {
  expect(problems({ ...minimal, [field]: '' })).toEqual([])
  expect(problems({ ...minimal, [field]: 'https://greenhills.example/a' })).toEqual([])
  expect(problems({ ...minimal, [field]: 'greenhills' }).map(([path]) => path)).toEqual([field])
})

test('limits every text to the length of its form field', () => {
  const maxLengths = { businessName: 120, location: 120, description: 2000, address: 200, licenseNumber: 80 }
  for (const [field, max] of Object.entries(maxLengths)) {
    expect(problems({ ...minimal, [field]: 'a'.repeat(max) }), field).toEqual([])
    expect(problems({ ...minimal, [field]: 'a'.repeat(max + 1) }), field).toEqual([
      [field, `At most ${max.toLocaleString('en-US')} characters`],
    ])
  }
  const address = (length: number) => 'https://a.example/'.padEnd(length, 'a')
  for (const field of ['website', 'imageUrl']) {
    expect(problems({ ...minimal, [field]: address(500) }), field).toEqual([])
    expect(problems({ ...minimal, [field]: address(501) }), field).toEqual([[field, 'At most 500 characters']])
  }
})

test('allows seven business types', () => {
  expect(businessTypes).toEqual(['farm', 'dispensary', 'smoke_shop', 'glass_shop', 'food_service', 'delivery', 'other'])
  expect(problems({ ...minimal, businessType: 'bank' }).map(([path]) => path)).toEqual(['businessType'])
})
