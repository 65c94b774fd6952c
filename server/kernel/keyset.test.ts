import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from './errors.ts'
import { decodeCursor, encodeCursor, toPage } from './keyset.ts'

test('a cursor comes back as it went', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), text, (score, id) => {
      // JSON knows no negative zero; neither does a sort order.
      expect(decodeCursor(encodeCursor([score, id]), ['number', 'string'])).toEqual([score + 0, id])
    }),
  )
})

test('anything that is not a cursor of the list is refused, and never crashes', () => {
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

test('a number that is no integer of the database is no cursor of one', () => {
  for (const right of [0, -2_147_483_647, 2_147_483_647]) expect(decodeCursor(encodeCursor([right]), ['integer'])).toEqual([right])
  for (const wrong of [0.5, 2_147_483_648, -1e300, '1']) expect(() => decodeCursor(encodeCursor([wrong]), ['integer'])).toThrow(AppError)
})

test('a time that the database would refuse is no cursor', () => {
  const time = new Date().toISOString()
  expect(decodeCursor(encodeCursor([time]), ['time'])).toEqual([time])
  for (const wrong of ['2026-02-30T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '2026-01-01T24:00:00.000Z', '2026-01-01T00:00Z', 'now']) {
    expect(() => decodeCursor(encodeCursor([wrong]), ['time']), wrong).toThrow(AppError)
  }
})

test('the extra row tells of a next page and is not part of this one', () => {
  const keyOf = (row: { id: string }) => [row.id]
  const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  expect(toPage(rows, 2, keyOf)).toEqual({ items: [{ id: 'a' }, { id: 'b' }], nextCursor: encodeCursor(['b']) })
  expect(toPage(rows, 3, keyOf).nextCursor).toBeNull()
  expect(toPage([], 3, keyOf)).toEqual({ items: [], nextCursor: null })
})
