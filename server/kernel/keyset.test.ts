import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from './errors.ts'
import { decodeCursor, encodeCursor, toPage } from './keyset.ts'

test('round-trips a cursor', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), text, (score, id) => {
      // `JSON.stringify` writes negative zero as 0.
      expect(decodeCursor(encodeCursor([score, id]), ['number', 'string'])).toEqual([score + 0, id])
    }),
  )
})

test('rejects anything but the list’s own cursor without crashing', () => {
  const shapes = [
    encodeCursor([1]),
    encodeCursor(['a', 1]),
    encodeCursor([1, 'a', 'b']),
    encodeCursor([1, 'a\0']),
    encodeCursor([null, 'a']),
  ]
  for (const cursor of shapes) expect(() => decodeCursor(cursor, ['number', 'string'])).toThrow(AppError)
  fc.assert(
    fc.property(fc.string(), (cursor) => {
      expect(() => decodeCursor(cursor, ['number', 'string'])).toThrow(AppError)
    }),
  )
})

test('rejects a number that is not a database integer', () => {
  for (const right of [0, -2_147_483_647, 2_147_483_647]) expect(decodeCursor(encodeCursor([right]), ['integer'])).toEqual([right])
  for (const wrong of [0.5, 2_147_483_648, -1e300, '1']) expect(() => decodeCursor(encodeCursor([wrong]), ['integer'])).toThrow(AppError)
})

test('rejects a time that the database would refuse', () => {
  const time = new Date().toISOString()
  expect(decodeCursor(encodeCursor([time]), ['time'])).toEqual([time])
  for (const wrong of ['2026-02-30T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '2026-01-01T24:00:00.000Z', '2026-01-01T00:00Z', 'now']) {
    expect(() => decodeCursor(encodeCursor([wrong]), ['time']), wrong).toThrow(AppError)
  }
})

test('derives the next page from the extra row and drops that row', () => {
  const keyOf = (row: { id: string }) => [row.id]
  const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  expect(toPage(rows, 2, keyOf)).toEqual({ items: [{ id: 'a' }, { id: 'b' }], nextCursor: encodeCursor(['b']) })
  expect(toPage(rows, 3, keyOf).nextCursor).toBeNull()
  expect(toPage([], 3, keyOf)).toEqual({ items: [], nextCursor: null })
})
