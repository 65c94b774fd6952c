import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameKey } from '#server/kernel/fold-text.ts'
import { bestMatch, matchLicense, nameSimilarity, type RegisteredLicense, type StatedLicense } from './match-license.ts'

const row = (given: Partial<RegisteredLicense & { standing: string; name: string }> = {}) => ({
  license_number_key: '402R00794',
  state: 'CO',
  name_key: nameKey(given.name ?? 'Green Door'),
  business_type: 'dispensary' as const,
  standing: 'listed',
  ...given,
})
const stated = (given: Partial<StatedLicense> = {}): StatedLicense => ({
  licenseNumber: '402R-00794',
  state: 'CO',
  licenseName: 'Green Door',
  businessType: 'dispensary',
  ...given,
})

describe('comparing a statement with a register row', () => {
  it.each([
    ['the same license', {}, {}, 'full', []],
    ['another spelling of the number', { licenseNumber: ' 402r 00794' }, {}, 'full', []],
    ['legal form, case and punctuation', { licenseName: 'GREEN-DOOR, L.L.C.' }, {}, 'full', []],
    ['one space fewer', { licenseName: 'Greendoor' }, {}, 'full', []],
    ['a store that delivers', { businessType: 'dispensary' }, { business_type: 'delivery' }, 'full', []],
    ['a glass shop with another type of license', { businessType: 'glass_shop' }, { business_type: 'other' }, 'full', []],
    ['another state', { state: 'WA' }, {}, 'none', ['number']],
    ['another number', { licenseNumber: '402R-00795' }, {}, 'none', ['number']],
    ['a typo', { licenseName: 'Gren Door' }, {}, 'near', ['name']],
    ['a longer name', { licenseName: 'Green Door of Capitol Hill' }, {}, 'near', ['name']],
    ['a grow as a store', {}, { business_type: 'farm' }, 'near', ['type']],
    ['a typo and another type', { licenseName: 'Green Doors', businessType: 'farm' }, {}, 'near', ['name', 'type']],
    ['another name', { licenseName: 'Blue Mountain Wellness' }, {}, 'none', ['name']],
    ['no common letter', { licenseName: '!!!' }, {}, 'none', ['name']],
  ] as const)('reports the match and its differences: %s', (_what, ours, theirs, match, differences) => {
    expect(matchLicense(stated(ours), row(theirs))).toEqual({ match, differences })
  })

  it('never fully matches another number or state', () => {
    const word = fc.stringMatching(/^[A-Z0-9]{1,8}$/)
    fc.assert(
      fc.property(word, word, fc.constantFrom('CO', 'WA', 'MI'), fc.constantFrom('CO', 'WA', 'MI'), (ours, theirs, here, there) => {
        const { match } = matchLicense(stated({ licenseNumber: ours, state: here }), row({ license_number_key: theirs, state: there }))
        return (match === 'full') === (ours === theirs && here === there)
      }),
    )
  })

  it('ignores case, punctuation, surrounding spaces, and the legal form', () => {
    const name = fc.stringMatching(/^[a-z]{3,9}( [a-z]{3,9}){0,3}$/).filter((text) => nameKey(text) === text)
    fc.assert(
      fc.property(name, fc.constantFrom(' LLC', ', Inc.', '', '.', ' !'), (text, ending) => {
        const written = `  ${text.toUpperCase().replaceAll(' ', ' - ')}${ending}`
        return matchLicense(stated({ licenseName: written }), row({ name: text })).match === 'full'
      }),
    )
  })
})

it('measures the similarity of names symmetrically from 0 to 1, with 1 only for the same letters', () => {
  const name = fc.stringMatching(/^[ab]{1,4}( [ab]{1,4}){0,2}$/)
  fc.assert(
    fc.property(name, name, (a, b) => {
      const alike = nameSimilarity(a, b)
      const isSame = a.replaceAll(' ', '') === b.replaceAll(' ', '')
      return alike === nameSimilarity(b, a) && alike >= 0 && (alike === 1) === isSame && alike <= 1
    }),
  )
  expect(nameSimilarity('the', 'the green door')).toBeLessThan(0.6)
})

it('matches the closest row by name, active rows first, or none', () => {
  const grow = row({ name: 'Other Grow', business_type: 'farm' })
  const old = row({ standing: 'inactive' })
  const near = row({ name: 'Green Doors' })
  expect(bestMatch(stated(), [grow, near, row()])).toMatchObject({ match: 'full' })
  expect(bestMatch(stated(), [grow, old, near])?.row).toBe(near)
  expect(bestMatch(stated(), [grow, old])?.row).toBe(old)
  expect(bestMatch(stated(), [grow])).toMatchObject({ match: 'none', differences: ['name', 'type'] })
  expect(bestMatch(stated(), [])).toBeNull()
})
