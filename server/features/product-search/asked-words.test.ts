import { expect, it } from 'vitest'
import { askedWords } from './products-near.queries.ts'

it('knows a category by its name, in singular, plural and without a hyphen', () => {
  const named = (text: string) => askedWords(text).map(({ categories }) => categories)
  expect(named('edible gummies')).toEqual([['Edibles'], []])
  expect(named('Flower')).toEqual([['Flower']])
  expect(named('vape')).toEqual([['Vapes']])
  expect(named('clone')).toEqual([['Seeds & Clones']])
  for (const word of ['preroll', 'prerolls', 'pre-roll', 'Pre-Rolls']) expect(named(word), word).toEqual([['Pre-Rolls']])
})

it('takes no other word for a category', () => {
  for (const word of ['other', 'flow', 's', 'drinking', '&']) expect(askedWords(word)[0]?.categories, word).toEqual([])
})

it('knows strain types, and folds accents and case', () => {
  expect(askedWords('Sativa bouffée')).toMatchObject([
    { text: 'sativa', strainType: 'sativa' },
    { text: 'bouffee', strainType: null },
  ])
})
