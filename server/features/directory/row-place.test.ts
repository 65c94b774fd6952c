import { expect, it } from 'vitest'
import { cityCenter, findZip } from '#server/kernel/geo/gazetteer.ts'
import { type PlaceNote, readPlace, type WrittenPlace } from './row-place.ts'

function place(row: Partial<WrittenPlace>) {
  const notes: PlaceNote[] = []
  const empty = { state: 'CO', street: '', city: '', county: '', zip: '', latitude: '', longitude: '', geo_precision: '' }
  return { ...readPlace({ ...empty, ...row }, (note) => notes.push(note)), notes }
}

it('keeps a valid place unchanged', () => {
  expect(
    place({ street: '1 Main St', city: 'Denver', zip: '80202', latitude: '39.75', longitude: '-104.99', geo_precision: 'premise' }),
  ).toEqual({
    street: '1 Main St',
    city: 'Denver',
    county: null,
    zip: '80202',
    pin: { latitude: 39.75, longitude: -104.99, precision: 'premise' },
    notes: [],
  })
})

it('replaces a coordinate outside the state with the center of the ZIP code or else the city', () => {
  const denver = cityCenter('Denver', 'CO')
  const zip = findZip('80202')
  const abroad = { latitude: '51.5', longitude: '-0.1', geo_precision: 'premise' }
  expect(place({ city: 'Denver', zip: '80202', ...abroad })).toMatchObject({
    pin: { latitude: zip?.latitude, longitude: zip?.longitude, precision: 'zip' },
    notes: ['coordinates outside the state replaced'],
  })
  expect(place({ city: 'Denver', ...abroad }).pin).toEqual({ ...denver, precision: 'city' })
  expect(place({ street: '1 Main St', city: 'Denver', latitude: '0', longitude: '0' }).pin?.precision).toBe('city')
})

it('uses a center, or else no pin, if there is no coordinate', () => {
  expect(place({ zip: '80202' })).toMatchObject({ city: 'Denver', pin: { precision: 'zip' } })
  expect(place({ city: 'denver' })).toMatchObject({ city: 'Denver', pin: { precision: 'city' } })
  expect(place({ county: 'Clark', state: 'NV' })).toMatchObject({ city: null, zip: null, pin: null })
})

it.each(['x', '39,7', 'NaN', '1e5', ''])('rejects %s as a coordinate', (latitude) => {
  expect(place({ zip: '80202', latitude, longitude: '-104.9' })).toMatchObject({
    pin: { precision: 'zip' },
    notes: ['coordinates unreadable'],
  })
})

it('does not treat a coordinate without a street as a building', () => {
  const at = { latitude: '39.75', longitude: '-104.99', geo_precision: 'premise' }
  expect(place({ city: 'Denver', zip: '80202', ...at }).pin?.precision).toBe('zip')
  expect(place({ city: 'Denver', ...at }).pin?.precision).toBe('city')
  expect(place(at).pin).toBeNull()
})

it.each<[string, Partial<WrittenPlace>, object]>([
  [
    'state and ZIP code in the city',
    { state: 'VT', street: 'Brattleboro', city: 'Vt 05301' },
    { street: null, city: 'Brattleboro', zip: '05301' },
  ],
  ['only state and ZIP code', { state: 'MO', city: 'Mo 65625', zip: '65625' }, { street: null, city: 'Cassville', zip: '65625' }],
  ['the state in the city', { state: 'VT', street: 'Starksboro', city: 'Vt' }, { street: null, city: 'Starksboro' }],
  [
    'a namesake abroad',
    { state: 'VT', street: 'Salisbury, UK', city: 'Salisbury, UK', latitude: '51.07', longitude: '-1.79' },
    { street: null, city: 'Salisbury', pin: { precision: 'city' } },
  ],
  [
    'a suite in the city',
    { state: 'AZ', street: '9275 W Peoria Ave', city: 'Ste 104', zip: '85345' },
    { street: '9275 W Peoria Ave, Ste 104', city: 'Peoria' },
  ],
  [
    'a city with state and ZIP code',
    { state: 'IL', street: '270 N Randall Rd', city: 'Lake in the Hills IL 60156', zip: '60156' },
    { street: '270 N Randall Rd', city: 'Lake in the Hills' },
  ],
])('repairs %s', (_, row, expected) => {
  const { notes, ...found } = place(row)
  expect(found).toMatchObject(expected)
  expect(notes).toContain('address repaired')
})

it('recognizes the cities that are their own county', () => {
  expect(
    place({
      state: 'AK',
      street: '5200 A St',
      city: 'Suite 102',
      county: 'Anchorage Municipality',
      latitude: '61.17',
      longitude: '-149.88',
    }),
  ).toMatchObject({
    street: '5200 A St, Suite 102',
    city: 'Anchorage',
    pin: { precision: 'premise' },
  })
})

it('rejects values that aren’t towns', () => {
  for (const city of ['Third Floor', '(Shop on Ground Level)', 'Units BCDE', 'Laurence Barrett', 'Maryland, USA']) {
    expect(place({ state: city.startsWith('Mary') ? 'MD' : 'AK', city }), city).toMatchObject({ city: null, pin: null })
  }
})

it('drops another state’s ZIP code and restores a leading zero', () => {
  expect(place({ state: 'VT', city: 'Williston', zip: '58801' })).toMatchObject({
    zip: null,
    city: 'Williston',
    notes: ['ZIP code of another state dropped'],
  })
  expect(place({ state: 'MA', zip: '2554' })).toMatchObject({ zip: '02554', city: 'Nantucket' })
  expect(place({ zip: '80202-1234' }).zip).toBe('80202')
})

it('finds no place in a Washington title certificate', () => {
  expect(
    place({ state: 'WA', street: 'RETAIL TITLE CERTIFICATE', city: 'Kent', zip: '98032', latitude: '47.38', longitude: '-122.23' }),
  ).toMatchObject({ city: null, zip: null, pin: null })
})
