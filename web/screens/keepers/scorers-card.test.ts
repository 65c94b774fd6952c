import { beforeEach, expect, test } from 'vitest'
import type { Leaning } from '#agronomy/observer-leanings.ts'
import { setRegion } from '#web/lib/format.ts'
import { scorerTables } from './scorers-card.tsx'

beforeEach(() => setRegion('US'))

const leaning = (observerId: string, mean: number, reach: number): Leaning => ({
  ...{ observerId, mean, low: mean - reach, high: mean + reach, values: 24, phenotypes: 12 },
})
const traits = [
  { id: 'height', name: 'Height', unit: 'cm', position: 1 },
  { id: 'nose', name: 'Nose', unit: '', position: 0 },
]
const nose = { id: 'nose', leanings: [leaning('0', 0.62, 0.3), leaning('1', -0.62, 0.3)] }
const scorers = { names: ['Wren Ash', 'Marlow Kerr'], me: 1 }

test('states who scores higher and how certain that is, in the trait’s unit and the hunt’s order', () => {
  const height = { id: 'height', leanings: [leaning('0', 12.4, 4), leaning('1', -12.4, 14)] }
  expect(scorerTables(traits, [height, nose], scorers)).toEqual([
    {
      ...{ traitId: 'nose', traitName: 'Nose', tasters: 0 },
      rows: [
        { name: 'Wren Ash', words: '0.62 higher', range: '+0.32 to +0.92', values: 24 },
        { name: 'You', words: '0.62 lower', range: '−0.92 to −0.32', values: 24 },
      ],
    },
    {
      ...{ traitId: 'height', traitName: 'Height', tasters: 0 },
      rows: [
        { name: 'Wren Ash', words: '12.4 cm higher', range: '+8.4 to +16.4', values: 24 },
        { name: 'You', words: 'No clear difference', range: '−26.4 to +1.6', values: 24 },
      ],
    },
  ])
})

test('counts testers without naming them', () => {
  const withTasters = { id: 'nose', leanings: [...nose.leanings, leaning('2', 0.1, 1), leaning('3', 0, 1)] }
  const [table] = scorerTables(traits, [withTasters], { names: ['Wren Ash', 'Marlow Kerr', null, null] })
  expect([table?.rows.length, table?.tasters]).toEqual([2, 2])
})

test('is empty for a single scorer and for people who may only view the hunt', () => {
  expect(scorerTables(traits, [{ id: 'nose', leanings: [leaning('0', 1, 0.5)] }], scorers)).toEqual([])
  expect(scorerTables(traits, [{ id: 'nose', leanings: [] }], scorers)).toEqual([])
  expect(scorerTables(traits, [nose], { me: 1 })).toEqual([])
  expect(scorerTables(traits, [nose], { names: [null, null] })).toEqual([])
})
