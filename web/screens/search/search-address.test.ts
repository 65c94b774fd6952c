import { expect, test } from 'vitest'
import { change, facetsQuery, readSearchAddress, searchQuery, searchUrl } from './search-address.ts'

test.each([
  [{}, {}],
  [
    { q: '  blue dream ', kind: 'strain' },
    { q: 'blue dream', kind: 'strain' },
  ],
  // The router parses digits as numbers.
  [
    { q: 80202, radius: 10, place: 80202 },
    { q: '80202', place: '80202', radius: 10 },
  ],
  [{ q: ' ', kind: 'planet', state: 'colorado', type: 'bank', radius: 9 }, {}],
  [{ q: 'x'.repeat(121) }, {}],
  [
    { q: 'og', state: 'co', type: 'farm', place: 'Denver, CO', radius: 0 },
    { q: 'og', state: 'CO', type: 'farm', place: 'Denver, CO' },
  ],
])('reads the search parameters %j as %j', (given, address) => {
  expect(readSearchAddress(given)).toEqual(address)
})

test('removes parameters that are changed to undefined', () => {
  expect(Object.keys(change({ q: 'og', kind: 'post' }, { kind: undefined, state: 'CO' }))).toEqual(['q', 'state'])
})

test('passes the search parameters to the call, and counts results in tabs regardless of the kind', () => {
  const address = { q: 'og', kind: 'product', place: 'Denver, CO', radius: 25, state: 'CO', type: 'farm' } as const
  expect(searchQuery(address)).toEqual({ q: 'og', kind: 'product', place: 'Denver, CO', state: 'CO', businessType: 'farm' })
  expect(facetsQuery({ ...address, radius: 50 })).toEqual({ q: 'og', place: 'Denver, CO', radius: 50, state: 'CO', businessType: 'farm' })
})

test.each([
  ['Denver, CO', '/search?q=Denver%2C%20CO'],
  ['50% & more?#', '/search?q=50%25%20%26%20more%3F%23'],
])('searches for %s at %s', (text, url) => {
  expect(searchUrl(text)).toBe(url)
})
