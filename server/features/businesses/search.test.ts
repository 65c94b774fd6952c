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
