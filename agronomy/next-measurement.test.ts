import { describe, expect, test } from 'vitest'
import { explainMeasurement, nextMeasurements } from './next-measurement.ts'
import { prepareRanking, type RankingInput, type RankingRecord } from './prepare-ranking.ts'
import { createRandom, nextNormal } from './random.ts'
import { rankKeepers } from './rank.ts'

const record = (genotypeId: string, traitId: string, value: number, plant = 1): RankingRecord => ({
  genotypeId,
  traitId,
  plantId: `${genotypeId}-${plant}`,
  runId: null,
  value,
})
const traits = ['yield', 'aroma'].map((id) => ({ id, curve: { direction: 'max', low: 0, high: 100 } as const, heritability: 0.5 }))
const genotypes = Array.from({ length: 8 }, (_, i) => ({ id: `${i}`, plantIds: [`${i}-1`, `${i}-2`] }))
const both = { yield: 1, aroma: 1 }

/** Genotype 0 is best, 1 is just behind it without an aroma record, and the rest are far behind. */
const input: RankingInput = {
  genotypes,
  traits,
  draws: 16,
  records: [
    ...[90, 88, 20, 22, 18, 25, 15, 21].map((value, i) => record(`${i}`, 'yield', value)),
    ...[60, 0, 10, 95, 30, 70, 90, 50].flatMap((value, i) => (i === 1 ? [] : [record(`${i}`, 'aroma', value)])),
  ],
}

test('proposes the missing trait of a close rival first', () => {
  const { measurements } = nextMeasurements(prepareRanking(input), both)
  expect(measurements[0]).toMatchObject({ genotypeId: '1', traitId: 'aroma', plantId: '1-1', measuredPlants: 0, isLeader: false })
  expect(measurements).toHaveLength(5)
  expect(measurements.map(({ gain }) => gain)).toEqual(measurements.map(({ gain }) => gain).sort((a, b) => b - a))
})

test('skips plants already measured for the trait and proposes nothing without plants', () => {
  const oneEach = { ...input, genotypes: genotypes.map(({ id }) => ({ id, plantIds: [`${id}-1`] })) }
  const { measurements, clones } = nextMeasurements(prepareRanking(oneEach), both)
  expect(measurements.map(({ genotypeId, traitId }) => [genotypeId, traitId])).toEqual([['1', 'aroma']])
  expect(clones).toHaveLength(5)
  const none = { ...input, genotypes: genotypes.map(({ id }) => ({ id })) }
  expect(nextMeasurements(prepareRanking(none), both).measurements).toEqual([])
})

test('proposes clones of the contenders, worth more than another record', () => {
  const { measurements, clones } = nextMeasurements(prepareRanking(input), both)
  expect(
    clones
      .slice(0, 2)
      .map(({ genotypeId }) => genotypeId)
      .sort(),
  ).toEqual(['0', '1'])
  const best = measurements.find(({ genotypeId }) => genotypeId === clones[0]!.genotypeId)!
  expect(clones[0]!.gain).toBeGreaterThan(best.gain)
})

test('proposes harvested plants for what is measured on the harvest, and clones only of living ones', () => {
  const harvested = {
    ...input,
    traits: traits.map((trait) => ({ ...trait, isOfHarvest: trait.id === 'aroma' })),
    genotypes: genotypes.map(({ id, plantIds }) => (id === '1' ? { id, harvestedPlantIds: plantIds } : { id, plantIds })),
  }
  const { measurements, clones } = nextMeasurements(prepareRanking(harvested), both)
  const aroma = measurements.filter(({ traitId }) => traitId === 'aroma')
  expect(aroma.map(({ plantId }) => plantId)).toEqual(['1-1'])
  expect(measurements.filter(({ genotypeId, traitId }) => genotypeId === '1' && traitId === 'yield')).toEqual([])
  expect(clones.map(({ genotypeId }) => genotypeId)).not.toContain('1')
})

test('proposes nothing if there is nothing to learn', () => {
  expect(nextMeasurements(prepareRanking(input), {})).toEqual({ measurements: [], clones: [] })
  expect(
    nextMeasurements(prepareRanking({ ...input, genotypes: genotypes.map((each, i) => ({ ...each, isCandidate: i === 0 })) }), both),
  ).toEqual({
    measurements: [],
    clones: [],
  })
  const alike = prepareRanking({ ...input, records: input.records.map((each) => ({ ...each, value: 50 })) })
  expect(nextMeasurements(alike, { yield: 1 })).toEqual({ measurements: [], clones: [] })
})

describe('the gain of a record', () => {
  test.each(['0', '1'])('matches a simulation for genotype %s', (id) => {
    const prepared = prepareRanking(input)
    const { standings } = rankKeepers(prepared, { yield: 1 })
    const { measurements } = nextMeasurements(prepared, { yield: 1 }, 50)
    const { heritability, interaction } = prepared.traits.find((trait) => trait.id === 'yield')!
    const now = standings.find((standing) => standing.id === id)!.score / 100
    const others = Math.max(...standings.filter((standing) => standing.id !== id).map(({ score }) => score)) / 100
    // A second plant in the same run halves what is a plant's own, but not what is the run's.
    const rest = 1 - heritability - interaction
    const varianceWith = (plants: number) => 1 / (1 / heritability + 1 / (interaction + rest / plants))
    const error = prepared.deviation[Number(id) * 2]! ** 2
    const noise = 1 / (varianceWith(1) / (varianceWith(2) * error) - 1 / error)
    const random = createRandom(4)
    let gain = 0
    let changes = 0
    const draws = 40_000
    for (let i = 0; i < draws; i++) {
      const truth = now + Math.sqrt(error) * nextNormal(random)
      const value = truth + Math.sqrt(noise) * nextNormal(random)
      const after = (now / error + value / noise) / (1 / error + 1 / noise)
      gain += (Math.max(after, others) - Math.max(now, others)) / draws
      if (after > others !== now > others) changes += 1 / draws
    }
    const answer = measurements.find(({ genotypeId }) => genotypeId === id)!
    expect(answer.gain / (100 * gain)).toBeCloseTo(1, 1)
    expect(Math.abs(answer.changesLeader - changes)).toBeLessThan(0.01)
  })
})

test('explains the proposal in a sentence', () => {
  const { measurements, clones } = nextMeasurements(prepareRanking(input), both)
  const names = { genotype: '#1', trait: 'aroma' }
  expect(explainMeasurement(measurements[0]!, names)).toMatch(
    /^#1 has no score for aroma\. It is \d+\.\d points? behind the leader\. The chance that one more changes the leader is \d+%\.$/,
  )
  const leader = clones.find(({ isLeader }) => isLeader)!
  expect(explainMeasurement(leader, { genotype: '#0' })).toMatch(/^#0 has one scored plant\. It leads by \d+\.\d points?\. The chance/)
  expect(explainMeasurement({ ...leader, plants: 3, gap: 1, changesLeader: 0.001 }, { genotype: '#0' })).toBe(
    '#0 has 3 scored plants. It leads by 1.0 point. The chance that one more changes the leader is under 1%.',
  )
  expect(explainMeasurement({ ...leader, gap: 0 }, { genotype: '#0' })).toContain('. It is level with the second. ')
  expect(explainMeasurement({ ...measurements[0]!, gap: 0.04 }, names)).toContain('. It is level with the leader. ')
})
