import { expect, test } from 'vitest'
import { type DiscoverSearch, readDiscoverSearch } from './discover-params.ts'
import {
  areaBox,
  change,
  isNarrowed,
  isPoint,
  listQuery,
  sortOf,
  textToFind,
  withArea,
  withDefaultPlace,
  withoutFilters,
  withPlace,
} from './discover-search.ts'

const read = (search: object) => change(readDiscoverSearch(search as Record<string, unknown>), {})
const box = { west: -105.123456, south: 39.5, east: -104.7, north: 39.99999 }

test('reads an address and drops invalid parameters', () => {
  expect(read({ search: 80202, near: ' Denver, CO ', type: 'farm', radius: 50, verified: true, sort: 'name', view: 'map' })).toEqual({
    search: '80202',
    near: 'Denver, CO',
    type: 'farm',
    radius: 50,
    verified: true,
    sort: 'name',
    view: 'map',
  })
  expect(
    read({
      search: '  ',
      near: 'x'.repeat(121),
      type: 'bakery',
      radius: 9999,
      verified: false,
      sort: 'paid',
      state: 'Colorado',
      view: 'grid',
      area: '1,2,3',
    }),
  ).toEqual({})
})

test.each([
  ['-105,39,-104,40', true],
  // Across the antimeridian, west is greater than east.
  ['179,51,-179,52', true],
  ['-105,40,-104,39', false],
  ['-105,39,-104', false],
  ['-105,39,-104,40,0', false],
  ['-105,39,-104,x', false],
  ['-105,39,-104,91', false],
])('accepts the area %s: %s', (area, kept) => {
  expect(read({ area })).toEqual(kept ? { area } : {})
})

test('makes the preloaded call if there are no filters', () => {
  expect(listQuery({})).toEqual({})
  expect(listQuery({ view: 'map', sort: 'highest_rated' })).toEqual({})
  expect(listQuery({ radius: 50 })).toEqual({})
})

test('turns filters into a query', () => {
  expect(listQuery({ search: 'green', near: 'Denver, CO', radius: 50, verified: true, sort: 'distance' })).toEqual({
    q: 'green',
    near: 'Denver, CO',
    radius: 50,
    verified: true,
    sort: 'distance',
  })
  expect(listQuery({ search: 'Denver', radius: 50 })).toEqual({ q: 'Denver', radius: 50 })
  expect(listQuery({ area: '-105,39,-104,40', state: 'CO' })).toEqual({ bbox: '-105,39,-104,40', state: 'CO' })
})

test('lets the radius grow unless the person chose one', () => {
  expect(listQuery({ near: 'Denver, CO' })).toEqual({ near: 'Denver, CO', radius: 50, widen: true })
  expect(listQuery({ near: 'Denver, CO', radius: 25 })).toEqual({ near: 'Denver, CO', radius: 25 })
  expect(listQuery({ search: 'Denver' })).toEqual({ q: 'Denver' })
})

test('sorts by distance only with a place', () => {
  expect(sortOf({ sort: 'distance' })).toBe('highest_rated')
  expect(sortOf({ sort: 'distance', near: 'Denver, CO' })).toBe('distance')
  expect(sortOf({ sort: 'distance', search: 'Denver' })).toBe('distance')
})

test('replaces the map’s area with a new place, and drops the radius and sorting by distance if no place is given', () => {
  expect(withPlace({ area: '-105,39,-104,40', type: 'farm', view: 'map' }, 'Boulder, CO')).toEqual({
    near: 'Boulder, CO',
    type: 'farm',
    view: 'map',
  })
  expect(withPlace({ near: 'Denver, CO', radius: 50, sort: 'distance' }, undefined)).toEqual({ everywhere: true })
  expect(withPlace({ near: 'Denver, CO', radius: 50, sort: 'name' }, 'Boulder, CO')).toEqual({
    near: 'Boulder, CO',
    radius: 50,
    sort: 'name',
  })
})

test('replaces the place, and search text that names it, with an area of the map', () => {
  const search: DiscoverSearch = { search: 'Denver', near: 'Denver, CO', radius: 50, state: 'CO', type: 'farm', sort: 'distance' }
  expect(withArea(search, box, textToFind(search, { otherText: '' }))).toEqual({
    search: 'Denver',
    type: 'farm',
    area: '-105.1235,39.5,-104.7,40',
  })
  const named: DiscoverSearch = { ...search, near: undefined }
  expect(withArea(named, box, textToFind(named, { otherText: '' }))).toEqual({ type: 'farm', area: '-105.1235,39.5,-104.7,40' })
  expect(withArea(named, box, textToFind(named, { otherText: 'Green' }))).toMatchObject({ search: 'Green', type: 'farm' })
  expect(areaBox('-105.1235,39.5,-104.7,40')).toEqual({ west: -105.1235, south: 39.5, east: -104.7, north: 40 })
})

test('keeps the view and a valid sort order when filters are cleared', () => {
  const search: DiscoverSearch = {
    search: 'x',
    type: 'farm',
    near: 'y',
    radius: 5,
    state: 'CO',
    verified: true,
    area: '-105,39,-104,40',
    view: 'map',
  }
  expect(withoutFilters({ ...search, sort: 'name' })).toEqual({ everywhere: true, sort: 'name', view: 'map' })
  expect(withoutFilters({ ...search, sort: 'distance' })).toEqual({ everywhere: true, view: 'map' })
})

test.each([
  [{}, false],
  [{ sort: 'name', view: 'map', radius: 50 }, false],
  [{ search: 'x' }, true],
  [{ type: 'farm' }, true],
  [{ near: 'x' }, true],
  [{ state: 'CO' }, true],
  [{ verified: true }, true],
  [{ area: '-105,39,-104,40' }, true],
] as const)('checks whether %o narrows the list: %s', (search, narrowed) => {
  expect(isNarrowed(search)).toBe(narrowed)
})

test.each([
  ['39.74,-104.99', true],
  ['39.74, -104.99', true],
  ['80202', false],
  ['Denver, CO', false],
  [undefined, false],
])('checks whether %s is a point: %s', (near, expected) => {
  expect(isPoint(near)).toBe(expected)
})

test('starts near the person’s city unless the address has a place or search text', () => {
  const inDenver = { location: 'Denver, CO', isLocationKnown: true }
  expect(withDefaultPlace({ type: 'farm', open: true }, inDenver)).toEqual({ type: 'farm', open: true, near: 'Denver, CO' })
  for (const search of [
    { near: 'Boulder, CO' },
    { area: '-105,39,-104,40' },
    { state: 'CO' },
    { everywhere: true },
    { search: 'Boulder' },
  ] as const) {
    expect(withDefaultPlace(search, inDenver)).toBe(search)
  }
})

test('starts everywhere if the person’s city is missing or unknown', () => {
  for (const user of [null, { location: null, isLocationKnown: false }, { location: 'My basement', isLocationKnown: false }]) {
    expect(withDefaultPlace({}, user)).toEqual({})
  }
})
