import { expect, test } from 'vitest'
import { curveWords } from './trait-words.ts'

test.each([
  ['min', { low: 7, high: 14, unit: 'days' }, 'Less is better, 7 to 14 days'],
  ['max', { low: 1, high: 4, unit: '%' }, 'More is better, 1 to 4%'],
  ['max', { low: 1, high: 5 }, 'More is better, 1 to 5'],
  ['target', { low: 1, high: 4, target: 2, unit: '×' }, 'Closer to 2× is better, within 1 to 4×'],
  ['target', { low: 80, high: 120, target: 100, unit: 'cm' }, 'Closer to 100 cm is better, within 80 to 120 cm'],
] as const)('says which values of a trait are better: %s of %o', (direction, trait, words) => {
  expect(curveWords(direction, trait)).toBe(words)
})
