import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SearchKind } from '#contracts/search.endpoints.ts'
import { hitFacts, markedPieces, resultSentence, wordMatches } from './hits.tsx'

const counted = (kind: SearchKind, count: number, { isCapped = false, isAlike = false } = {}) => ({ kind, count, isCapped, isAlike })
const page = (...alike: boolean[]) => [{ items: alike.map((isAlike) => ({ isAlike })) }]

test.each([
  [{ q: 'og' }, [counted('business', 1), counted('strain', 2)], page(false), '3 results.'],
  [{ q: 'og' }, [counted('business', 1)], page(false), '1 result.'],
  [{ q: 'og', kind: 'strain' as const }, [counted('business', 9), counted('strain', 1)], page(false), '1 strain.'],
  [{ q: 'og', kind: 'person' as const }, [counted('person', 1000, { isCapped: true })], page(false), '1,000+ people.'],
  [{ q: 'kusch' }, [counted('strain', 2)], page(true, true), 'No exact match for “kusch”. 2 results are similar.'],
  [{ q: 'kusch' }, [counted('strain', 2)], page(false, true), '2 results.'],
  [{ q: 'og' }, [counted('business', 1), counted('strain', 2, { isAlike: true })], page(false), '1 result.'],
  [
    { q: 'kusch' },
    [counted('post', 0), counted('strain', 2, { isAlike: true })],
    page(true),
    'No exact match for “kusch”. 2 results are similar.',
  ],
  [{ q: 'og' }, [counted('strain', 0)], page(), ''],
])('describes the results of the search %j with the counts %j', (address, kinds, pages, sentence) => {
  expect(resultSentence(address, { kinds }, pages)).toBe(sentence)
})

test.each([
  ['Dispensary', 'Denver, CO', 'Dispensary · Denver, CO'],
  ['Dispensary · Denver, CO', 'Denver, CO', 'Dispensary · Denver, CO'],
  [null, 'Denver, CO', 'Denver, CO'],
  [null, null, ''],
])('describes a result with the subtitle %s in %s: %s', (subtitle, location, facts) => {
  expect(hitFacts({ subtitle, location })).toBe(facts)
})

const shown = (text: string, ranges: [number, number][]) =>
  markedPieces(text, ranges)
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('')

test.each<[string, [number, number][], string]>([
  ['Green Hills Farm', [[0, 5]], '[Green] Hills Farm'],
  [
    'Green Hills Farm',
    [
      [12, 16],
      [0, 5],
    ],
    '[Green] Hills [Farm]',
  ],
  [
    'Green',
    [
      [0, 3],
      [2, 5],
    ],
    '[Green]',
  ],
  [
    'Green',
    [
      [0, 2],
      [2, 5],
    ],
    '[Green]',
  ],
  [
    'Green',
    [
      [3, 99],
      [-4, 1],
      [2, 2],
    ],
    '[G]re[en]',
  ],
  ['Green', [], 'Green'],
  ['', [[0, 1]], ''],
])('marks %s in the ranges %j as %s', (text, ranges, marked) => {
  expect(shown(text, ranges)).toBe(marked)
})

test('keeps every character once and merges adjacent matches', () => {
  const range = fc.tuple(fc.integer({ min: -5, max: 60 }), fc.integer({ min: -5, max: 60 }))
  fc.assert(
    fc.property(fc.string({ maxLength: 50 }), fc.array(range, { maxLength: 6 }), (text, ranges) => {
      const pieces = markedPieces(text, ranges)
      expect(pieces.map((piece) => piece.text).join('')).toBe(text)
      expect(pieces.every((piece, index) => piece.isMatch !== pieces[index + 1]?.isMatch)).toBe(true)
      for (const { start, text: part, isMatch } of pieces) {
        const covered = (at: number) => ranges.some(([from, to]) => from <= at && at < to)
        for (let at = start; at < start + part.length; at++) expect(covered(at)).toBe(isMatch)
      }
    }),
  )
})

test.each([
  ['Create Post', 'po', [[7, 9]]],
  [
    'Create Post',
    'post cre',
    [
      [7, 11],
      [0, 3],
    ],
  ],
  ['Create Post', 'ost', []],
  ['Create Post', 'post x', []],
  ['Create Post', '  ', []],
])('finds words in %s that begin with %o: %j', (label, typed, ranges) => {
  expect(wordMatches(label, typed)).toEqual(ranges)
})
