import { expect, it } from 'vitest'
import { isSameAnalyte, knownAnalyte, totalOf } from './analytes.ts'

it.each([
  ['THCa', 'THCA'],
  ['THCA-A', 'THCA'],
  ['Δ9-THC', 'Δ9-THC'],
  ['∆9-THC', 'Δ9-THC'],
  ['D9-THC', 'Δ9-THC'],
  ['Delta-9 THC', 'Δ9-THC'],
  ['d8-THC', 'Δ8-THC'],
  ['CBD', 'CBD (neutral)'],
  ['CBD (neutral)', 'CBD (neutral)'],
  ['Total THC', 'Total THC'],
  ['THC, total', 'Total THC'],
  ['beta-Myrcene', 'β-Myrcene'],
  ['ß-Myrcene', 'β-Myrcene'],
  ['(R)-(+)-Limonene', 'Limonene'],
  ['δ -Limonene', 'Limonene'],
  ['trans-Caryophyllene', 'β-Caryophyllene'],
  ['(-)-α-Bisabolol', 'α-Bisabolol'],
  ['3-Carene', 'Δ3-Carene'],
])('recognizes %s as %s', (text, name) => {
  expect(knownAnalyte(text)?.name).toBe(name)
})

it.each(['Abamectin', 'Lead', 'Moisture', 'THC-O', 'Sum'])('doesn’t recognize %s', (text) => {
  expect(knownAnalyte(text)).toBeNull()
})

it('matches a grower’s THC and CBD to the totals, and different spellings of any other name to each other', () => {
  expect(isSameAnalyte('THC', 'Total THC')).toBe(true)
  expect(isSameAnalyte('thc', 'Δ9-THC')).toBe(false)
  expect(isSameAnalyte('CBD', 'Total CBD')).toBe(true)
  expect(isSameAnalyte('CBD', 'CBD (neutral)')).toBe(false)
  expect(isSameAnalyte('Myrcene', 'β-Myrcene')).toBe(true)
  expect(isSameAnalyte('My compound', 'my-compound')).toBe(true)
  expect(isSameAnalyte('CBGA', 'CBG')).toBe(false)
})

it('computes the total from the acid and the neutral form', () => {
  expect(totalOf(0.5, 20)).toBeCloseTo(18.04, 10)
})
