import fc from 'fast-check'
import { expect, test } from 'vitest'
import { queryWordsOf, type SearchDocument, wordsOf } from '#server/kernel/search.ts'
import { conditionsOf, lexemesOf, queriesOf } from './lexemes.ts'

const document = (title: string, details: Partial<SearchDocument> = {}): SearchDocument => ({
  id: '',
  kind: 'strain',
  title,
  names: [],
  text: '',
  quality: 1,
  state: null,
  businessType: null,
  pin: null,
  isCommonKnowledge: true,
  ...details,
})

test('splits words regardless of case, accents, and punctuation', () => {
  expect(wordsOf('Bouffée, Nature’s  #1-K "O.G."')).toEqual(['bouffee', 'natures', '1', 'k', 'o', 'g'])
  expect(queryWordsOf('a b a c d e f g h i j')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  expect(queryWordsOf("!& |():*\\' \0")).toEqual([])
})

test('indexes prefixes of the title and names, and the kind, state, and business type', () => {
  const lexemes = lexemesOf(document('Blue Dream', { kind: 'product', names: ['Oh'], state: 'CO', businessType: 'farm' }))
  expect(lexemes).toEqual(
    expect.arrayContaining(['^b', '^blu', '^blue', '^dream', '^oh', '~blue', '$blue dream', '=product', '@CO', '#farm']),
  )
  expect(lexemes).not.toContain('^lue')
  // A very long word has only prefixes up to the limit, plus the whole word.
  const long = lexemesOf(document('Supercalifragilistic'))
  expect(long.filter((lexeme) => lexeme.startsWith('^')).at(-1)).toBe('^supercalifragilistic')
  expect(long.length).toBeLessThan(20)
})

test('requires all words and matches stop words only in names', () => {
  expect(queriesOf({ words: ['the', 'dreams'], stems: ['', "'dream'"] })).toEqual({
    exact: "'$the dreams' & '~the' & '~dreams'",
    whole: "'~the' & '~dreams'",
    names: "'^the' & '^dreams'",
    words: "('^dreams' | ('dream'))",
  })
  expect(queriesOf({ words: [], stems: [] })).toBeNull()
  expect(conditionsOf({ kinds: ['post', 'person'], state: 'CO', businessType: null })).toBe("('=post' | '=person') & '@CO'")
})

/** A quoted lexeme, optionally as a prefix. */
const lexeme = /'(?:[^'\\]|''|\\\\)+'(?::\*)?/gu

test('builds a query of only quoted lexemes and operators from any input', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string()), (typed) => {
      const words = queryWordsOf(typed)
      const queries = queriesOf({ words, stems: words.map((word) => `'${word}'`) })
      expect(queries === null).toBe(words.length === 0)
      for (const query of Object.values(queries ?? {})) expect(query.replace(lexeme, 'x')).toMatch(/^[x ()&|]+$/)
    }),
  )
})

test('finds a title by any prefix of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), (title, length) => {
      const typed = [...title].slice(0, length).join('')
      const lexemes = new Set(lexemesOf(document(title)))
      for (const word of queryWordsOf(typed)) {
        const beginning = [...word].length > 12 ? [...lexemes].some((each) => each.startsWith(`^${word}`)) : lexemes.has(`^${word}`)
        expect(beginning, `${typed} of ${title}`).toBe(true)
      }
    }),
  )
})
