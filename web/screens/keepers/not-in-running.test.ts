import { expect, test } from 'vitest'
import type { TraitRecord } from '#contracts/trait-records.ts'
import { meanText, reasonText } from './not-in-running.tsx'

test('explains why a pheno is out, naming the trait that rules it out', () => {
  expect(reasonText('must', 'First pollen sacs')).toBe('Ruled out by First pollen sacs')
  expect(reasonText('male', undefined)).toBe('Male')
  expect(reasonText('harvested', undefined)).toBe('Harvested, with no living plant or clone')
})

test('shows the mean of the plants’ means, rounded as in the matrix', () => {
  const record = (plantId: string, number?: number): TraitRecord => ({
    traitId: 'vigor',
    genotypeId: 'g1',
    plantId,
    runId: null,
    observer: null,
    on: '2026-03-01',
    ...(number !== undefined && { number }),
  })
  expect(meanText([record('a', 1), record('a', 3), record('a', 5), record('b', 4.25), record('c')])).toBe('3.63')
  expect(meanText([record('a')])).toBe('not scored')
})
