import { expect, test } from 'vitest'
import { businessTypes } from './business-types.ts'
import { NewBusiness } from './businesses.ts'

const least = { businessName: 'Green Hills', location: 'Denver, CO' }
const problems = (input: object) => NewBusiness.safeParse(input).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []

test('a business needs a name and a location; the rest has the defaults of the specification', () => {
  expect(NewBusiness.parse(least)).toMatchObject({
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

test.each(['website', 'imageUrl'])('its %s is a full address or empty', (field) => {
  expect(problems({ ...least, [field]: '' })).toEqual([])
  expect(problems({ ...least, [field]: 'https://greenhills.example/a' })).toEqual([])
  expect(problems({ ...least, [field]: 'greenhills' }).map(([path]) => path)).toEqual([field])
})

test('no text of it is longer than its form allows', () => {
  const longest = { businessName: 120, location: 120, description: 2000, address: 200, phone: 40, licenseNumber: 80 }
  for (const [field, most] of Object.entries(longest)) {
    expect(problems({ ...least, [field]: 'a'.repeat(most) }), field).toEqual([])
    expect(problems({ ...least, [field]: 'a'.repeat(most + 1) }), field).toEqual([[field, `At most ${most} characters`]])
  }
  const address = (length: number) => 'https://a.example/'.padEnd(length, 'a')
  for (const field of ['website', 'imageUrl']) {
    expect(problems({ ...least, [field]: address(500) }), field).toEqual([])
    expect(problems({ ...least, [field]: address(501) }), field).toEqual([[field, 'At most 500 characters']])
  }
})

test('its type is one of seven', () => {
  expect(businessTypes).toEqual(['farm', 'dispensary', 'smoke_shop', 'glass_shop', 'food_service', 'delivery', 'other'])
  expect(problems({ ...least, businessType: 'bank' }).map(([path]) => path)).toEqual(['businessType'])
})
