import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Trait } from '#contracts/traits.ts'
import { curveWords, formatValue, type Kind, nameWithUnit, readValue, takenWords, valueText } from './trait-words.ts'

const scale: Kind = {
  kind: 'ordinal',
  unit: '',
  options: [1, 2, 3].map((value) => ({ value, label: ['weak', 'fair', 'strong'][value - 1] ?? '' })),
}
const height: Kind = { kind: 'number', unit: 'cm', options: [] }
const aroma: Kind = { kind: 'checks', unit: '', options: ['Citrus', 'Gas', 'Sweet, ripe fruit'].map((label, value) => ({ value, label })) }
const color: Kind = { ...aroma, kind: 'category' }
const number = (value: number) => ({ value: { kind: 'number', number: value } })
const options = (...values: number[]) => ({ value: { kind: 'options', options: values } })

test('reads a number with a point or a comma, with or without its unit', () => {
  for (const text of ['41.5', ' 41,5 ', '41.5 cm', '41.5CM']) expect(readValue(height, text)).toEqual(number(41.5))
  expect(readValue(height, '-3')).toEqual(number(-3))
  expect(readValue(height, '1,200')).toEqual(number(1200))
  for (const text of ['tall', '1,234,5', '41.5 in', '1e3', '4 1', 'cm']) expect(readValue(height, text)).toHaveProperty('error')
  expect(readValue(height, '  ')).toBeNull()
})

test('reads a scale step by number or label', () => {
  for (const text of ['3', 'Strong', '3 · strong']) expect(readValue(scale, text)).toEqual(number(3))
  for (const text of ['4', '2.5', 'stron']) expect(readValue(scale, text)).toEqual({ error: 'Enter 1, 2 or 3' })
})

test('accepts only real dates', () => {
  const date: Kind = { kind: 'date', unit: '', options: [] }
  expect(readValue(date, '2026-02-28')).toEqual({ value: { kind: 'date', date: '2026-02-28' } })
  expect(readValue(date, '2/8/2026')).toEqual({ value: { kind: 'date', date: '2026-02-08' } })
  for (const text of ['2026-02-30', 'soon', '31/12/2026', '1066-10-14']) expect(readValue(date, text)).toHaveProperty('error')
})

test('reads options by their names, even with a comma', () => {
  expect(readValue(aroma, 'gas; Citrus')).toEqual(options(1, 0))
  expect(readValue(aroma, 'sweet, ripe fruit')).toEqual(options(2))
  expect(readValue(aroma, 'gas, sweet, ripe fruit')).toEqual(options(1, 2))
  expect(readValue(aroma, 'none')).toEqual(options())
  expect(readValue(aroma, 'Gas, Diesel')).toEqual({ error: '“Diesel” isn’t one of the options' })
  expect(readValue(color, 'Gas')).toEqual(options(1))
  expect(readValue(color, 'Gas, Citrus')).toEqual({ error: 'Choose only one option' })
})

test('formats values with their labels and units', () => {
  expect(formatValue(scale, { number: 3 })).toBe('3 · strong')
  expect(formatValue(height, { number: 41.5 })).toBe('41.5 cm')
  expect(formatValue(aroma, { options: [1, 0] })).toBe('Gas; Citrus')
  expect(formatValue(aroma, { options: [] })).toBe('none')
  expect(formatValue(height, {})).toBe('')
})

test('reads a cell’s displayed text back as its value', () => {
  const seen = fc.oneof(
    fc.record({
      trait: fc.constant(height),
      number: fc.double({ min: -1000, max: 1000, noNaN: true }).map((of) => Math.round(of * 100) / 100),
    }),
    fc.record({ trait: fc.constant(scale), number: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ trait: fc.constant(aroma), options: fc.uniqueArray(fc.integer({ min: 0, max: 2 })) }),
  )
  fc.assert(
    fc.property(seen, ({ trait, ...of }) => {
      const read = readValue(trait, valueText(trait, of))
      expect(read).toEqual('number' in of ? number(of.number + 0) : options(...of.options))
    }),
  )
})

test.each([
  ['min', { low: 7, high: 14, unit: 'days' }, 'Less is better, 7 to 14 days'],
  ['max', { low: 1, high: 4, unit: '%' }, 'More is better, 1 to 4%'],
  ['max', { low: 1, high: 5 }, 'More is better, 1 to 5'],
  ['target', { low: 1, high: 4, target: 2, unit: '×' }, 'Closer to 2× is better, from 1 to 4×'],
  ['target', { low: 80, high: 120, target: 100, unit: 'cm' }, 'Closer to 100 cm is better, from 80 to 120 cm'],
] as const)('describes which values are better for direction %s with %o: %s', (direction, trait, words) => {
  expect(curveWords(direction, trait)).toBe(words)
})

test('puts units in parentheses unless the name has them', () => {
  const taken = (source: Trait['source'], kind: Trait['kind'], unit: string) => takenWords({ source, kind, unit })
  expect(taken('observation', 'number', '×')).toBe('Number (×)')
  expect(taken('observation', 'number', '')).toBe('Number')
  expect(taken('observation', 'ordinal', '')).toBe('Scale with anchors')
  expect(taken('dry_weight', 'number', 'g')).toBe('Dry weight from the harvest (g)')
  expect(nameWithUnit({ name: 'Stretch', unit: '×' })).toBe('Stretch (×)')
  expect(nameWithUnit({ name: 'Rooting days', unit: 'days' })).toBe('Rooting days')
  expect(nameWithUnit({ name: 'Aroma', unit: '' })).toBe('Aroma')
})
