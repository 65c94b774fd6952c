import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatTsv, parseTsv } from './use-grid.ts'

test('reads cells copied from Excel', () => {
  expect(parseTsv('Blue Dream\t35\r\nOG Kush\t40\r\n')).toEqual([
    ['Blue Dream', '35'],
    ['OG Kush', '40'],
  ])
  expect(parseTsv('"two\nlines"\t"say ""hi"""')).toEqual([['two\nlines', 'say "hi"']])
  expect(parseTsv('one')).toEqual([['one']])
  expect(parseTsv('')).toEqual([['']])
  expect(parseTsv('a\t\tb\n\nc')).toEqual([['a', '', 'b'], [''], ['c']])
})

test('reads a stray quote literally', () => {
  expect(parseTsv('7" grinder\t12')).toEqual([['7" grinder', '12']])
  expect(parseTsv('"open\tend')).toEqual([['"open', 'end']])
})

test('never exports a formula', () => {
  expect(formatTsv([['=HYPERLINK("x")', '-1', '+1', '@x', '35']])).toBe('"\'=HYPERLINK(""x"")"\t\'-1\t\'+1\t\'@x\t35')
})

test('pastes copied cells unchanged', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '=', '-', ' ', '1') })
  // Only an apostrophe before a formula sign is lost. Rows of a copied range have equal length.
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }))
  fc.assert(
    fc.property(table, (rows) => {
      expect(parseTsv(formatTsv(rows))).toEqual(rows)
    }),
  )
})
