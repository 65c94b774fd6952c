import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvFile } from './csv.ts'

test('ends lines as RFC 4180 requires and quotes ambiguous cells', () => {
  expect(
    csvFile(
      ['Name', 'Height, cm'],
      [
        ['a "b"', 1.25],
        ['two\nlines', null],
      ],
    ),
  ).toBe('\uFEFFName,"Height, cm"\r\n"a ""b""",1.25\r\n"two\nlines",\r\n')
})

test('escapes formulas and keeps negative numbers', () => {
  const lines = [['=HYPERLINK("x")'], ['+1'], ['-1'], ['@x'], ["'=1"], ['\t=1'], [-1.5]]
  const cells = (parse(csvFile(['h'], lines), { bom: true }) as string[][]).slice(1).map(([cell]) => cell)
  expect(cells).toEqual([`'=HYPERLINK("x")`, "'+1", "'-1", "'@x", "''=1", "'\t=1", '-1.5'])
})

test('round-trips every cell except for the added apostrophe', () => {
  const cell = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (lines) => {
      const read = (parse(csvFile(['one', 'two'], lines), { bom: true, trim: false }) as string[][]).slice(1)
      expect(read.length).toBe(lines.length)
      for (const [nth, line] of lines.entries()) {
        for (const [place, value] of line.entries()) {
          const found = read[nth]?.[place] as string
          if (typeof value === 'number') expect(Number(found)).toBe(value === 0 ? 0 : value)
          else expect([value, `'${value}`]).toContain(found)
        }
      }
    }),
  )
})
