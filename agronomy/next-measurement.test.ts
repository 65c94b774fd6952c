import { describe, expect, test } from 'vitest'
import { type HuntToRank, rankableHunt } from './hunt-ranking.ts'
import { explainMeasurement, nextMeasurements } from './next-measurement.ts'
import { planRun } from './plan-run.ts'
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

/** Genotype 0 is best, genotype 1 is just behind and has no aroma record, and the others are far behind. */
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

test('skips plants already measured for the trait, and proposes no measurement if there are no plants', () => {
  const oneEach = { ...input, genotypes: genotypes.map(({ id }) => ({ id, plantIds: [`${id}-1`] })) }
  const { measurements, clones } = nextMeasurements(prepareRanking(oneEach), both)
  expect(measurements.map(({ genotypeId, traitId }) => [genotypeId, traitId])).toEqual([['1', 'aroma']])
  expect(clones).toHaveLength(5)
  const none = { ...input, genotypes: genotypes.map(({ id }) => ({ id })) }
  expect(nextMeasurements(prepareRanking(none), both).measurements).toEqual([])
})

test('proposes clones of the contenders first, and expects more gain from a clone than from another record', () => {
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

test('proposes harvested plants for traits measured on the harvest, and clones only of living plants', () => {
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

test('proposes only measurements that are possible, in random hunts', () => {
  let proposals = 0
  for (let seed = 1; seed <= 150; seed++) {
    const random = createRandom(seed)
    const oneOf = <Item>(...items: Item[]) => items[random() % items.length]!
    const hunt = anyHunt(oneOf)
    const { input, weights, outOfRunning } = rankableHunt(hunt)
    const prepared = prepareRanking({ ...input, draws: 16 })
    const { standings } = rankKeepers(prepared, weights)
    const ids = standings.map(({ id }) => id)
    const { measurements, clones } = nextMeasurements(prepared, weights, 100)
    const plan = planRun(prepared, weights, { places: 6, checks: 1, contenderIds: ids })
    if (plan) expect(plan.gain).toBeGreaterThanOrEqual(plan.evenGain)
    const genotypeOf = (id: string) => hunt.genotypes.find((genotype) => genotype.id === id)!
    for (const { genotypeId, plantId, traitId } of measurements) {
      const plant = genotypeOf(genotypeId).plants.find(({ id }) => id === plantId)!
      const { source, fromStage, toStage } = hunt.traits.find(({ id }) => id === traitId)!
      const isOnJar = ['lab', 'dry_weight'].includes(source) || fromStage === 'drying' || fromStage === 'curing'
      expect(hunt.records.filter((each) => each.plantId === plantId && each.traitId === traitId)).toEqual([])
      expect(plant.isAlive ? 'alive' : plant.endedHow).toBe(isOnJar ? 'harvested' : 'alive')
      if (!isOnJar && plant.stage !== null) {
        const order = [fromStage ?? 'germination', plant.stage, toStage ?? 'curing'].map((stage) => hunt.stages.indexOf(stage))
        expect(order).toEqual(order.toSorted((a, b) => a - b))
      }
    }
    const ofCutting = [...clones, ...(plan?.clones ?? [])].map(({ genotypeId }) => genotypeId)
    for (const id of ofCutting) expect(genotypeOf(id).plants.some(({ isAlive }) => isAlive)).toBe(true)
    for (const id of [...ids, ...ofCutting, ...measurements.map(({ genotypeId }) => genotypeId)]) {
      const { kind, sex, standing } = genotypeOf(id)
      expect(outOfRunning.map((out) => out.id)).not.toContain(id)
      expect({ kind, isCulled: standing === 'cull' }).toEqual({ kind: 'seed', isCulled: false })
      expect(['intersex', hunt.selectsMales ? 'female' : 'male']).not.toContain(sex)
    }
    proposals += measurements.length + ofCutting.length
  }
  expect(proposals).toBeGreaterThan(500)
})

test('proposes a flower trait for every plant if no stage is logged, and otherwise only for plants logged or scored in flower', () => {
  const hunt = anyHunt((...items) => items[0]!)
  const plant = (id: string, stage: string | null) => ({ id, isAlive: true, endedHow: null, stage })
  const seed = (number: number, stage: string | null) => ({
    ...hunt.genotypes[0]!,
    ...{ id: `g${number}`, number, plants: [plant(`p${number}`, stage)] },
  })
  const trait = (id: string, fromStage: string | null) => ({ ...hunt.traits[0]!, id, fromStage, toStage: null })
  const proposed = (stages: (string | null)[]) => {
    const { input, weights } = rankableHunt({
      ...hunt,
      genotypes: stages.map((stage, i) => seed(i + 1, stage)),
      traits: [trait('nose', 'flower'), trait('density', 'flower'), trait('vigor', null)],
      records: [
        { traitId: 'nose', plantId: 'p1', number: 8 },
        { traitId: 'vigor', plantId: 'p2', number: 8 },
        { traitId: 'density', plantId: 'p4', number: 8 },
      ],
    })
    return nextMeasurements(prepareRanking({ ...input, draws: 16 }), weights, 100)
      .measurements.filter(({ traitId }) => traitId !== 'vigor')
      .map(({ genotypeId, traitId }) => `${traitId} ${genotypeId}`)
      .sort()
  }
  expect(proposed([null, null, null, null])).toEqual(['density g1', 'density g2', 'density g3', 'nose g2', 'nose g3', 'nose g4'])
  expect(proposed([null, null, 'flower', null])).toEqual(['density g1', 'density g3', 'nose g3', 'nose g4'])
  expect(proposed([null, 'flower', 'vegetative', null])).toEqual(['density g1', 'density g2', 'nose g2', 'nose g4'])
})

type OneOf = <Item>(...items: Item[]) => Item

/** A hunt with plants and traits of any kind, scored at random, whether or not that makes sense. */
function anyHunt(oneOf: OneOf): HuntToRank {
  const stages = ['germination', 'seedling', 'vegetative', 'flower', 'drying', 'curing']
  const genotypes = Array.from({ length: 10 }, (_, g) => ({
    id: `g${g}`,
    number: g,
    kind: oneOf('seed', 'seed', 'seed', 'check'),
    sex: oneOf('unknown', 'female', 'female', 'male', 'intersex'),
    standing: oneOf(null, null, 'keep', 'cull'),
    plants: Array.from({ length: oneOf(1, 2, 3) }, (_, p) => {
      const endedHow = oneOf(null, null, 'harvested', 'died', 'culled', 'given_away')
      return { id: `g${g}-${p}`, isAlive: endedHow === null, endedHow, stage: oneOf(null, ...stages) }
    }),
  })) satisfies HuntToRank['genotypes']
  const traits = ['a', 'b', 'c', 'd'].map((id) => ({
    ...{ id, kind: 'number', low: 0, high: 10, target: null, weight: 1, heritability: null, must: null, isArchived: false },
    direction: oneOf('max', 'max', 'min', 'none'),
    source: oneOf('observation', 'observation', 'lab', 'dry_weight', 'log_rating'),
    fromStage: oneOf(null, null, ...stages),
    toStage: oneOf(null, null, ...stages),
  })) satisfies HuntToRank['traits']
  const records = genotypes
    .flatMap(({ plants }) => plants.flatMap(({ id: plantId }) => traits.map(({ id: traitId }) => ({ traitId, plantId }))))
    .flatMap((record) => (oneOf(true, false, false) ? [{ ...record, number: oneOf(1, 3, 4, 6, 9) }] : []))
  return { selectsMales: oneOf(false, false, true), ranksHarvested: oneOf(false, true), stages, genotypes, traits, records }
}

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

describe('the gain from a record', () => {
  test.each(['0', '1'])('matches a simulation for genotype %s', (id) => {
    const prepared = prepareRanking(input)
    const { standings } = rankKeepers(prepared, { yield: 1 })
    const { measurements } = nextMeasurements(prepared, { yield: 1 }, 50)
    const { heritability, interaction } = prepared.traits.find((trait) => trait.id === 'yield')!
    const now = standings.find((standing) => standing.id === id)!.score / 100
    const others = Math.max(...standings.filter((standing) => standing.id !== id).map(({ score }) => score)) / 100
    // A second plant in the same run halves the plant's part of the error, but not the run's.
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

test('explains why it proposes a measurement', () => {
  const { measurements, clones } = nextMeasurements(prepareRanking(input), both)
  const names = { genotype: '#1', trait: 'aroma' }
  const [measurement] = measurements as [NonNullable<(typeof measurements)[0]>]
  expect(explainMeasurement(measurement, names)).toMatch(
    /^Measure aroma on #1, which has no score yet: \d+% chance it changes who leads\. It’s \d+\.\d points? behind the leader\.$/,
  )
  expect(explainMeasurement({ ...measurement, measuredPlants: 1, gap: 0.7, changesLeader: 0.14 }, names)).toBe(
    'Measure aroma on #1 again: 14% chance it changes who leads. It’s 0.7 points behind the leader.',
  )
  const leader = clones.find(({ isLeader }) => isLeader)!
  expect(explainMeasurement({ ...leader, gap: 1, changesLeader: 0.001 }, { genotype: '#0' })).toBe(
    'One more clone of #0: under 1% chance it changes who leads. It leads by 1.0 point.',
  )
  expect(explainMeasurement({ ...leader, gap: 0 }, { genotype: '#0' })).toContain('. It’s level with the runner-up.')
  expect(explainMeasurement({ ...measurement, gap: 0.04 }, names)).toContain('. It’s level with the leader.')
})
