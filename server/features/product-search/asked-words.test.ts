import { expect, it } from 'vitest'
import { queryWords } from './products-near.queries.ts'

it('recognizes a category by its name: singular, plural, or without a hyphen', () => {
  const named = (text: string) => queryWords(text).map(({ categories }) => categories)
  expect(named('edible gummies')).toEqual([['Edibles'], []])
  expect(named('Flower')).toEqual([['Flower']])
  expect(named('vape')).toEqual([['Vapes']])
  expect(named('clone')).toEqual([['Seeds & Clones']])
  for (const word of ['preroll', 'prerolls', 'pre-roll', 'Pre-Rolls']) expect(named(word), word).toEqual([['Pre-Rolls']])
  for (const words of ['pre roll', 'Pre Rolls']) expect(named(words), words).toEqual([['Pre-Rolls'], ['Pre-Rolls']])
})

it('doesn’t mistake other words for a category', () => {
  for (const word of ['other', 'flow', 's', 'drinking', 'pre', '&']) expect(queryWords(word)[0]?.categories, word).toEqual([])
})

it('recognizes strain types regardless of accents and case', () => {
  expect(queryWords('Sativa bouffée')).toMatchObject([
    { text: 'sativa', strainType: 'sativa' },
    { text: 'bouffee', strainType: null },
  ])
})
