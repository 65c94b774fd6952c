import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markedPieces, wordMatches } from './marked-pieces.ts'

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
])('marks %s with %j as %s', (text, ranges, marked) => {
  expect(shown(text, ranges)).toBe(marked)
})

test('keeps every letter once and never puts matches side by side', () => {
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
])('finds in %s that %o begins %j', (label, typed, ranges) => {
  expect(wordMatches(label, typed)).toEqual(ranges)
})
