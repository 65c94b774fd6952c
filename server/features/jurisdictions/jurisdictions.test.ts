import { expect, it } from 'vitest'
import { mayAdvertisePrices, maySeeProducts, openPlacesFor, placesWithDeals, productAgeOf } from './index.ts'

it('has the ages of adult-use states, provinces, and Germany', () => {
  expect(productAgeOf({ country: 'US', state: 'CO' })).toMatchObject({ minimumAge: 21, rule: expect.stringContaining('Colorado') })
  expect(productAgeOf({ country: 'CA', state: 'ON' }).minimumAge).toBe(19)
  expect(productAgeOf({ country: 'CA', state: 'AB' }).minimumAge).toBe(18)
  expect(productAgeOf({ country: 'CA', state: 'QC' }).minimumAge).toBe(21)
  expect(productAgeOf({ country: 'DE', state: null }).minimumAge).toBe(18)
  expect(productAgeOf({ country: 'US', state: 'OK' }).minimumAge).toBe(18)
})

it('cites the law and the date of the table', () => {
  expect(productAgeOf({ country: 'US', state: 'WA' }).source).toMatch(/69\.50\.360 \(our table of \d{4}-\d{2}-\d{2}\)/)
})

it('reads DE as Delaware, not as Germany', () => {
  expect(productAgeOf({ country: 'US', state: 'DE' }).minimumAge).toBe(21)
})

it('applies the strictest rule if the place or its law is unknown', () => {
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

it('gives queries exactly the places that maySeeProducts allows', () => {
  const places = [
    { country: 'US', state: 'CO' },
    { country: 'US', state: 'OK' },
    { country: 'US', state: 'AL' },
    { country: 'US', state: 'ID' },
    { country: 'CA', state: 'ON' },
    { country: 'CA', state: 'AB' },
    { country: 'DE', state: null },
    { country: 'DE', state: 'BY' },
    { country: 'FR', state: null },
    { country: null, state: null },
  ]
  for (const age of [null, 17, 18, 19, 20, 21, 50]) {
    const { everywhere, open, closed } = openPlacesFor(age)
    for (const place of places) {
      const key = `${place.country} ${place.state ?? ''}`
      const isOpen = everywhere || open.includes(key) || (open.includes(`${place.country} `) && !closed.includes(key))
      expect(isOpen, `${age} in ${key}`).toBe(maySeeProducts(age, place))
    }
  }
})

it('allows deals only where the table allows advertised prices', () => {
  expect(mayAdvertisePrices({ country: 'US', state: 'CO' })).toBe(true)
  expect(placesWithDeals).toContain('US CA')
  for (const place of [
    { country: 'US', state: 'WA' },
    { country: 'US', state: 'ID' },
    { country: 'US', state: null },
    { country: 'CA', state: 'ON' },
    { country: 'CA', state: null },
    { country: 'DE', state: null },
    { country: null, state: null },
  ]) {
    expect(mayAdvertisePrices(place), JSON.stringify(place)).toBe(false)
  }
})
