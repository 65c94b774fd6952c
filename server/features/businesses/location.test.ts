import { expect, it } from 'vitest'
import { readLocation } from './location.ts'

it('finds the city, state, and pin of "City, ST"', () => {
  expect(readLocation('denver, co', 'dispensary')).toMatchObject({
    location: 'Denver, CO',
    city: 'Denver',
    state: 'CO',
    country: 'US',
    pin: { precision: 'city' },
  })
})

it('reads a ZIP code and shows a farm only at city precision', () => {
  expect(readLocation('80202', 'dispensary')).toMatchObject({ location: 'Denver, CO', zip: '80202', pin: { precision: 'zip' } })
  expect(readLocation('80202', 'farm')).toMatchObject({ location: 'Denver, CO', zip: null, pin: { precision: 'city' } })
})

it('accepts a name without a state only if it is nearly unambiguous', () => {
  expect(readLocation('Denver', 'dispensary')).toMatchObject({ state: 'CO', pin: { precision: 'city' } })
  expect(readLocation('Springfield', 'dispensary')).toMatchObject({ location: 'Springfield', state: null, pin: null })
})

it('keeps an unknown place as typed, without a pin', () => {
  expect(readLocation('Behind the old mill', 'other')).toEqual({
    location: 'Behind the old mill',
    city: null,
    state: null,
    country: null,
    zip: null,
    pin: null,
  })
})

it('reads the state of a city that isn’t in the gazetteer', () => {
  const inColorado = { location: expect.stringContaining('Nowhereville'), city: null, state: 'CO', country: 'US', pin: null }
  for (const text of ['Nowhereville, CO', 'Nowhereville, Colorado', 'Nowhereville, CO, USA'])
    expect(readLocation(text, 'dispensary')).toMatchObject(inColorado)
  for (const text of ['Toronto, CA', 'Heidelberg, DE', 'Nowhereville', 'Nowhereville, XX'])
    expect(readLocation(text, 'dispensary')).toMatchObject({ location: text, state: null, country: null })
})

it('recognizes provinces and Germany, which have their own age laws', () => {
  expect(readLocation('Toronto, ON', 'dispensary')).toMatchObject({ city: 'Toronto', state: 'ON', country: 'CA', pin: null })
  expect(readLocation('Montreal, Quebec, Canada', 'dispensary')).toMatchObject({ city: 'Montreal', state: 'QC', country: 'CA' })
  expect(readLocation('Berlin, Germany', 'other')).toMatchObject({ city: 'Berlin', state: null, country: 'DE' })
  expect(readLocation('Dover, DE', 'other')).toMatchObject({ state: 'DE', country: 'US' })
  expect(readLocation('Ontario, CA', 'other')).toMatchObject({ state: 'CA', country: 'US' })
})
