import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadGazetteer } from './gazetteer.ts'
import { normalizeName } from './place-names.ts'
import { namesakesOf, resolvePlace, suggestPlaces } from './place-search.ts'

const labels = (text: string, limit?: number) => suggestPlaces(text, limit).map((place) => place.label)

test('finds the cities of similar size that share a name given without a state', () => {
  const named = (text: string) => namesakesOf(text).map(({ label }) => label)
  expect(named('springfield').slice(0, 3)).toEqual(['Springfield, MO', 'Springfield, MA', 'Springfield, IL'])
  expect(named('Kansas City')).toEqual(['Kansas City, MO', 'Kansas City, KS'])
  for (const clear of ['Denver', 'nyc', 'Springfield, IL', 'springfield il', '80202', 'Colorado', 'Nowhere at all'])
    expect(named(clear), clear).toEqual([])
})

describe('resolvePlace', () => {
  test.each([
    ['80202', 'Denver, CO 80202'],
    ['Denver', 'Denver, CO'],
    ['  denver ', 'Denver, CO'],
    ['Denver, CO', 'Denver, CO'],
    ['Denver,CO', 'Denver, CO'],
    ['Denver CO', 'Denver, CO'],
    ['denver colorado', 'Denver, CO'],
    ['Denver, Colorado, USA', 'Denver, CO'],
    ['Denver, Denver County, Colorado', 'Denver, CO'],
    ['Denver, CO 80202', 'Denver, CO 80202'],
    ['Denver, CO 00000', 'Denver, CO'],
    ['CO', 'Colorado'],
    ['colorado', 'Colorado'],
    ['West Virginia', 'West Virginia'],
    ['portland', 'Portland, OR'],
    ['portland me', 'Portland, ME'],
    ['Salt Lake City Utah', 'Salt Lake City, UT'],
    ['Kansas City', 'Kansas City, MO'],
    ['New York', 'New York, NY'],
    ['nyc', 'New York, NY'],
    ['Washington', 'Washington'],
    ['washington dc', 'Washington, DC'],
    ['Washington, D.C.', 'Washington, DC'],
    ['St. Louis', 'St. Louis, MO'],
    ['mclean va', 'McLean, VA'],
  ])('resolves “%s” to %s', (text, label) => {
    expect(resolvePlace(text)?.label).toBe(label)
  })

  test.each(['', ' ', ',', 'Nowhere at all', 'Denv', 'Denver, Utah', 'Denver, XX', '12', '😀', 'x'.repeat(100_000)])(
    'finds no place in %.20s',
    (text) => {
      expect(resolvePlace(text)).toBeNull()
    },
  )

  test('returns a state’s extent', () => {
    const colorado = resolvePlace('CO')!
    expect(colorado).toMatchObject({ id: 'colorado', kind: 'state', state: 'CO' })
    expect(colorado.boundingBox!.west).toBeCloseTo(-109.06, 1)
  })

  test('resolves every unambiguous suggestion’s label to the suggested place', () => {
    for (const text of ['spr', 'port', 'st', 'san', 'new', 'glen', '967', 'wash']) {
      for (const place of suggestPlaces(text, 20)) {
        if (!place.label.includes('(') && place.kind !== 'state') expect(resolvePlace(place.label)?.id).toBe(place.id)
      }
    }
  })
})

describe('suggestPlaces', () => {
  test('ranks by population', () => {
    expect(labels('den', 3)).toEqual(['Denver, CO', 'Denton, TX', 'Denison, TX'])
    expect(labels('san', 3)).toEqual(['San Antonio, TX', 'San Diego, CA', 'San Jose, CA'])
  })

  test('suggests by ZIP code', () => {
    expect(labels('8020', 2)).toEqual(['Denver, CO 80201', 'Denver, CO 80202'])
    expect(labels('80202')).toEqual(['Denver, CO 80202'])
    expect(labels('00000')).toEqual([])
    expect(labels('0', 1)).toEqual(['Holtsville, NY 00501'])
  })

  test('accepts a state at any stage of typing', () => {
    for (const text of ['portland, m', 'portland m', 'portland me', 'portland, maine', 'portland main']) {
      expect(labels(text)[0]).toBe('Portland, ME')
    }
    expect(labels('den, co')[0]).toBe('Denver, CO')
    expect(labels('den, ut')).not.toContain('Denver, CO')
  })

  test('puts a named state first, and any other state after the first city', () => {
    expect(labels('co')[0]).toBe('Colorado')
    expect(labels('colorado')[0]).toBe('Colorado')
    expect(labels('new york').slice(0, 2)).toEqual(['New York, NY', 'New York'])
    expect(labels('mich')).toContain('Michigan')
  })

  test('expands abbreviations, even while they may become a longer word', () => {
    expect(labels('st lou')[0]).toBe('St. Louis, MO')
    expect(labels('ft col')[0]).toBe('Fort Collins, CO')
    expect(labels('st')).toEqual(expect.arrayContaining(['St. Louis, MO', 'Stockton, CA']))
  })

  test('also finds names by a later word', () => {
    expect(labels('vegas')[0]).toBe('Las Vegas, NV')
  })

  test('tolerates one typo', () => {
    expect(labels('denvr')[0]).toBe('Denver, CO')
    expect(labels('bolder')[0]).toBe('Boulder, CO')
    expect(labels('Sna Francisco')[0]).toBe('San Francisco, CA')
    expect(labels('los angelas')[0]).toBe('Los Angeles, CA')
    expect(labels('sseattle')[0]).toBe('Seattle, WA')
    expect(labels('austn tx')[0]).toBe('Austin, TX')
    expect(labels('albuqerque, nm')[0]).toBe('Albuquerque, NM')
  })

  test('returns nothing for empty or unknown text', () => {
    expect(labels('')).toEqual([])
    expect(labels(' , ')).toEqual([])
    expect(labels('zzzzzz')).toEqual([])
    expect(labels('123456')).toEqual([])
  })

  test('suggests only names with a word that begins with the input', () => {
    const otherNames = new Map<string, string>()
    for (const line of readFileSync(new URL('../../../data/places-us.csv', import.meta.url), 'utf8').split('\n')) {
      const [, name, state, , , , , also] = line.split(',')
      if (also) otherNames.set(`${name}, ${state}`, also.replaceAll('|', ' '))
    }
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{2,3}$/), (text) => {
        for (const place of suggestPlaces(text, 5)) {
          const code = place.kind === 'state' ? place.state : ''
          const names = ` ${normalizeName(`${place.name} ${code} ${otherNames.get(place.label) ?? ''}`)}`
          expect(names.includes(` ${text}`) || names.includes(` ${normalizeName(text)}`)).toBe(true)
        }
      }),
      { numRuns: 400 },
    )
  })

  test('returns up to the requested number of distinct places for any text', () => {
    loadGazetteer()
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 200 }), fc.stringMatching(/^[a-z ,]{0,30}$/)),
        fc.integer({ min: 1, max: 12 }),
        (text, limit) => {
          const ids = suggestPlaces(text, limit).map((place) => `${place.kind} ${place.id}`)
          expect(ids.length).toBeLessThanOrEqual(limit)
          expect(new Set(ids).size).toBe(ids.length)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('takes less than 4 ms of CPU per keystroke', () => {
    const texts = ['d', 'de', 'denver', 'denvr', 'st l', 'springfeild il', 'san luis obizpo ca', 'zzzz zzzz', '802', 'portland m']
    for (const text of texts) suggestPlaces(text)
    // CPU time rather than wall time, because the machine may be busy with other tests.
    const begin = process.threadCpuUsage()
    for (let i = 0; i < 20; i++) for (const text of texts) suggestPlaces(text)
    const { user, system } = process.threadCpuUsage(begin)
    // Measured 0.8 ms for these slow texts and half of that on average.
    expect((user + system) / 1000 / (20 * texts.length)).toBeLessThan(4)
  })
})
