import { describe, expect, it } from 'vitest'
import { aboveWords, agreementWords, figuresWords, scoreWords, tasterFigures } from './panel-words.ts'

const options = ['faint', 'loud'].map((label, value) => ({ value, label }))
const scale = { id: 'a', name: 'Aroma', kind: 'ordinal', unit: '', options } as const
const height = { id: 'b', name: 'Height', kind: 'number', unit: 'cm', options: [] } as const
const checks = { id: 'c', name: 'Smells of', kind: 'checks', unit: '', options } as const
const of = (trait: { options: { value: number; label: string }[] }) => ({ ...trait, options: [...trait.options] })
const figures = { traitId: 'a', count: 3, mean: null, deviation: null, options: [] }

describe('a single answer', () => {
  it('shows the step’s label, the unit, or the options', () => {
    expect(scoreWords(of(scale) as never, { kind: 'number', number: 1 })).toBe('1 · loud')
    expect(scoreWords(of({ ...height, options: [] }) as never, { kind: 'number', number: 41.256 })).toBe('41.26 cm')
    expect(scoreWords(of(checks) as never, { kind: 'options', options: [0, 1] })).toBe('faint, loud')
    expect(scoreWords(of(checks) as never, { kind: 'options', options: [] })).toBe('none')
  })
})

describe('the summary of a jar', () => {
  it('has a mean, and a deviation if it has more than one answer', () => {
    expect(figuresWords(of({ ...height, options: [] }) as never, { ...figures, mean: 40, deviation: 1.256 })).toBe('40 cm ± 1.26')
    expect(figuresWords(of(scale) as never, { ...figures, count: 1, mean: 1 })).toBe('1')
  })

  it('lists how often each option was named, most frequent first', () => {
    const named = [
      { value: 0, count: 1 },
      { value: 1, count: 3 },
    ]
    expect(figuresWords(of(checks) as never, { ...figures, options: named })).toBe('loud 3/3, faint 1/3')
    expect(figuresWords(of(checks) as never, { ...figures, options: [{ value: 0, count: 0 }] })).toBe('none')
    expect(figuresWords(of(checks) as never, { ...figures, count: 0 })).toBe('no answer')
  })
})

it('explains what agreement measures', () => {
  expect(agreementWords(of({ ...height, options: [] }) as never, { traitId: 'b', measure: 'deviation', value: 2 })).toBe(
    'Testers differ by ±2 cm within a jar',
  )
  expect(agreementWords(of(checks) as never, { traitId: 'c', measure: 'pairs', value: 0.5 })).toBe(
    'Two testers of the same jar agreed on 50% of the options they chose',
  )
  expect(agreementWords({ ...of(checks), kind: 'category' } as never, { traitId: 'c', measure: 'pairs', value: 0.4 })).toBe(
    'Two testers of the same jar chose the same option 40% of the time',
  )
  expect(agreementWords(of(checks) as never, { traitId: 'c', measure: 'pairs', value: null })).toBe('No jar has two answers')
})

describe('a tester on a panel', () => {
  const jar = (...given: [taster: string, number: number | null][]) => {
    const numbers = given.flatMap(([, number]) => number ?? [])
    return {
      jarId: 'j',
      figures: [{ ...figures, count: numbers.length, mean: numbers.reduce((sum, number) => sum + number, 0) / numbers.length }],
      cards: given.map(([taster, number], i) => ({
        ...{ cardNumber: i, answeredAt: '2026-11-01T00:00:00Z', taster, comment: '' },
        scores: [{ traitId: 'a', number, options: null }],
      })),
    }
  }

  it('is compared with the mean only for jars that other testers scored too', () => {
    const jars = [jar(['Wren', 4], ['marlow', 2], ['Ines', 3]), jar(['wren', 5], ['Marlow', 3]), jar(['Wren', 9]), jar(['', 1], ['', 3])]
    const found = tasterFigures({ jars }).map(({ taster, cards, above }) => [taster, cards, aboveWords(above.get('a') ?? Number.NaN)])
    expect(found).toEqual([
      ['marlow', 2, '1 below the mean'],
      ['Wren', 3, '1 above the mean'],
    ])
    expect(aboveWords(-0.001)).toBe('at the mean')
  })
})
