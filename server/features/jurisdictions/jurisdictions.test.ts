import { expect, it } from 'vitest'
import { productAgeOf } from './index.ts'

it('knows the age of adult-use states, provinces and Germany', () => {
  expect(productAgeOf({ country: 'US', state: 'CO' })).toMatchObject({ minimumAge: 21, rule: expect.stringContaining('Colorado') })
  expect(productAgeOf({ country: 'CA', state: 'ON' }).minimumAge).toBe(19)
  expect(productAgeOf({ country: 'CA', state: 'AB' }).minimumAge).toBe(18)
  expect(productAgeOf({ country: 'CA', state: 'QC' }).minimumAge).toBe(21)
  expect(productAgeOf({ country: 'DE', state: null }).minimumAge).toBe(18)
  expect(productAgeOf({ country: 'US', state: 'OK' }).minimumAge).toBe(18)
})

it('names the source and the age of the table', () => {
  expect(productAgeOf({ country: 'US', state: 'WA' }).source).toMatch(/69\.50\.360 \(our table of \d{4}-\d{2}-\d{2}\)/)
})

it('takes Delaware for a state and not for Germany', () => {
  expect(productAgeOf({ country: 'US', state: 'DE' }).minimumAge).toBe(21)
})

it('is strictest where the place or its law is not known', () => {
  for (const place of [
    { country: null, state: null },
    { country: null, state: 'ON' },
    { country: 'US', state: null },
    { country: 'US', state: 'ID' },
    { country: 'CA', state: null },
    { country: 'FR', state: null },
  ]) {
    expect(productAgeOf(place).minimumAge).toBe(21)
  }
})
