import { expect, test } from 'vitest'
import { restoredHarvest } from './plant-writes.ts'
import { sampleGenotype, samplePlant } from './sample-plants.test-support.ts'

test('restores a deleted harvest with its ID, and ends the plant again only if the harvest had ended it', () => {
  const facts = {
    harvestedOn: '2026-03-02',
    flowerDays: 63,
    wetGrams: 400,
    dryGrams: 96,
    trimGrams: null,
    washYieldPercent: null,
    notes: '',
  }
  const harvest = { ...facts, id: 'h', huntId: 'hunt', plantId: 'p', genotypeId: 'genotype', runId: null, version: 4 }
  const harvests = [{ ...facts, id: 'h', plantId: 'p' }]
  const ended = samplePlant('p', { endedHow: 'harvested', endedOn: '2026-03-02' })
  const restored = (plant: typeof ended, others: (typeof ended)[] = []) =>
    restoredHarvest(sampleGenotype(1, [plant, ...others]), plant, harvest)
  expect(restored(ended)).toEqual({ harvests, endsPlants: true, confirmLastCopies: ['#1'] })
  expect(restored(ended, [samplePlant('clone')])).toEqual({ harvests, endsPlants: true, confirmLastCopies: [] })
  const notEndedByIt = { harvests, endsPlants: false, confirmLastCopies: [] }
  expect(restored(samplePlant('p'))).toEqual(notEndedByIt)
  expect(restored(samplePlant('p', { endedHow: 'died', endedOn: '2026-03-02' }))).toEqual(notEndedByIt)
})
