import fc from 'fast-check'
import { expect, test } from 'vitest'
import { queryWordsOf } from '#server/kernel/search.ts'
import { matchedRanges, snippetOf } from './hits.ts'

const matched = (text: string, question: string) => matchedRanges(text, queryWordsOf(question)).map(([from, to]) => text.slice(from, to))

test('highlights the beginnings of matched words', () => {
  expect(matched('Blue Dream, bluer than blue', 'blu dre')).toEqual(['Blu', 'Dre', 'blu', 'blu'])
  expect(matched('La Bouffée', 'bouffee')).toEqual(['Bouffée'])
  expect(matched('Nature’s Way', 'natures')).toEqual(['Nature’s'])
  expect(matched('Skydream', 'dream')).toEqual([])
  expect(matched('Dreams', 'd dream')).toEqual(['Dream'])
})

test('returns highlights in order, within the text, and never inside a character, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, question) => {
      let end = 0
      for (const [from, to] of matchedRanges(text, queryWordsOf(question))) {
        expect(from).toBeGreaterThanOrEqual(end)
        expect(to).toBeGreaterThan(from)
        expect(text.slice(from, to).isWellFormed()).toBe(true)
        end = to
      }
      expect(end).toBeLessThanOrEqual(text.length)
    }),
  )
})

test('excerpts a text around a match, or else its beginning, at word boundaries', () => {
  const text = `${'first words '.repeat(20)}terpene ${'last words '.repeat(20)}`
  const snippet = snippetOf(text, ['terpene']) as string
  expect(snippet).toContain('terpene')
  expect(snippet).toMatch(/^…\w.*\w…$/)
  expect(snippet.length).toBeLessThan(170)
  expect(snippetOf(text, ['none'])).toMatch(/^first words.*…$/)
  expect(snippetOf('Short\n text', ['none'])).toBe('Short text')
  expect(snippetOf('  ', ['none'])).toBeNull()
  expect(snippetOf(null, ['none'])).toBeNull()
})
