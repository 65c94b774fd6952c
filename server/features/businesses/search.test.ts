import { expect, it } from 'vitest'
import { centerOf, toSearch } from './search.ts'

const now = new Date('2026-11-24T12:00:00Z')

it('searches a place name both as a place and as text', () => {
  for (const q of ['Denver', 'denver, co', '80202', 'Denver CO', 'Denver, Colorado']) {
    const search = toSearch({ q }, now)
    expect(search.areaOrText, q).toBe(true)
    expect(centerOf(search)?.latitude, q).toBeCloseTo(39.74, 1)
    expect(search.area?.radiusMiles, q).toBe(25)
    expect(search.words.length, q).toBeGreaterThan(0)
  }
})

it('doesn’t mistake a word for a small town of that name unless the state is named', () => {
  expect(toSearch({ q: 'Star' }, now).area).toBeNull()
  expect(toSearch({ q: 'Star, ID' }, now).area?.label).toBe('Star, ID')
  expect(toSearch({ q: 'Bloom' }, now).area).toBeNull()
})

it('searches an entire state, without a center to measure from', () => {
  const search = toSearch({ q: 'Colorado' }, now)
  expect(search.area).toMatchObject({ label: 'Colorado', state: 'CO', radiusMiles: null })
  expect(centerOf(search)).toBeNull()
})

it('searches near a ZIP code for the text before it, unless both are one place or an address', () => {
  for (const [q, text] of [
    ['Green Dragon 80202', 'Green Dragon'],
    ['Green Dragon, Denver, CO 80202-1234', 'Green Dragon'],
    ['Green Dragon near 80202', 'Green Dragon'],
    ['Green Dragon in Denver 80202', 'Green Dragon'],
  ] as const) {
    const search = toSearch({ q }, now)
    expect(search, q).toMatchObject({ areaOrText: false, otherText: text, words: ['green', 'dragon'], area: { label: 'Denver, CO 80202' } })
  }
  for (const q of ['Denver, CO 80202', 'denver 80202', 'Colorado 80202', '1 Main St, Denver, CO 80202', '1 Main St 80202'])
    expect(toSearch({ q }, now), q).toMatchObject({ areaOrText: true, otherText: '', area: { label: 'Denver, CO 80202' } })
  for (const q of ['near 80202', 'near me 80202', 'ZIP code 80202', 'Denver, zip: 80202', 'dispensaries near 80202', 'Smoke shop 80202'])
    expect(toSearch({ q }, now), q).toMatchObject({ areaOrText: true, otherText: '', area: { label: 'Denver, CO 80202' } })
  for (const q of [
    'Portland 04101',
    'dispensaries in Portland 04101',
    'Kansas City 66101',
    'Kansas City, MO 66101',
    'Aurora 60505',
    'Springfield 62701',
  ])
    expect(toSearch({ q }, now), q).toMatchObject({ areaOrText: true, otherText: '' })
  expect(toSearch({ q: 'Eureka 60601' }, now)).toMatchObject({ areaOrText: false, otherText: 'Eureka' })
  expect(toSearch({ q: 'Green Dragon' }, now)).toMatchObject({ areaOrText: false, otherText: 'Green Dragon', area: null })
  expect(toSearch({ q: '3035580202' }, now).area).toBeNull()
})

it('takes the place from `near` and searches the text only as words', () => {
  const search = toSearch({ q: 'Boulder', near: '80202', radius: 10 }, now)
  expect(search.areaOrText).toBe(false)
  expect(search.area?.radiusMiles).toBe(10)
  expect(search.words).toEqual(['boulder'])
})

it('reads a point', () => {
  expect(centerOf(toSearch({ near: '39.7392, -104.9903' }, now))).toEqual({ latitude: 39.7392, longitude: -104.9903 })
})

it.each(['Xyzzyville, CO', '91,0', '0,181'])('refuses %s as a place', (near) => {
  expect(() => toSearch({ near }, now)).toThrow(expect.objectContaining({ code: 'invalid_input', fields: { near: expect.any(String) } }))
})

it('refuses an upside-down box', () => {
  expect(() => toSearch({ bbox: [-105, 40, -104, 39] }, now)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
})
