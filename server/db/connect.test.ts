import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createStatementNames, isDatabaseUnavailable, parseTimestamp } from './connect.ts'

test.each([
  ['08P01', true],
  ['08006', true],
  ['57P01', true],
  ['25006', true],
  ['23505', false],
  ['57014', false],
])('distinguishes a lost server from other errors (%s)', (code, isAway) => {
  const error = Object.assign(new pg.DatabaseError('what went wrong', 0, 'error'), { code })
  expect(isDatabaseUnavailable(error)).toBe(isAway)
  expect(isDatabaseUnavailable(new Error('a write failed', { cause: error }))).toBe(isAway)
})

test('names a repeated statement and keeps its name', () => {
  const names = createStatementNames()
  expect(names.nameOf('a')).toBeUndefined()
  const name = names.nameOf('a')
  expect(name).toBeDefined()
  expect(names.nameOf('a')).toBe(name)
  names.nameOf('b')
  expect(names.nameOf('b')).not.toBe(name)
})

test('limits the names and doesn’t name one-time statements', () => {
  const names = createStatementNames(2)
  for (let i = 0; i < 10_000; i++) expect(names.nameOf(`once ${i}`)).toBeUndefined()
  for (const text of ['a', 'b', 'c']) names.nameOf(text)
  expect(['a', 'b', 'c', 'c'].map((text) => names.nameOf(text) !== undefined)).toEqual([true, true, false, false])
})

test('gives a new name to a statement whose old name was dropped', () => {
  const names = createStatementNames()
  names.nameOf('a')
  const before = names.nameOf('a')
  names.forget('a')
  names.nameOf('a')
  expect(names.nameOf('a')).not.toBe(before)
})

test('reads timestamps as pg does, in every form that PostgreSQL writes', () => {
  const byPg = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
  const date = fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  const fraction = fc.oneof(
    fc.constant(''),
    fc.integer({ min: 1, max: 999_999 }).map((n) => `.${String(n).padStart(6, '0').replace(/0+$/, '')}`),
  )
  const written = fc
    .tuple(date, fraction, fc.constantFrom('+00', '+00', '-07', '+05:30'))
    .map(([at, digits, zone]) => `${at.toISOString().slice(0, 19).replace('T', ' ')}${digits}${zone}`)
  const rare = fc.constantFrom('infinity', '-infinity', '0044-03-15 12:00:00+00 BC', '12026-01-01 00:00:00+00')
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: written }, rare), (text) => {
      expect(parseTimestamp(text)).toEqual(byPg(text))
    }),
    { numRuns: 1_000 },
  )
})
