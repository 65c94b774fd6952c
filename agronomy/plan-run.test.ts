import { expect, test } from 'vitest'
import { planRun } from './plan-run.ts'
import { prepareRanking, type RankingInput } from './prepare-ranking.ts'
import { createRandom, nextNormal } from './random.ts'
import { rankKeepers } from './rank.ts'

const genotypes = Array.from({ length: 12 }, (_, i) => ({ id: `${i}`, plantIds: [`${i}-1`] }))

/** One plant per genotype; the first few are close, and the others are far behind. */
function hunt(more: Partial<RankingInput> = {}) {
  const random = createRandom(3)
  const prepared = prepareRanking({
    genotypes,
    traits: [{ id: 'yield', curve: { direction: 'max', low: -10, high: 10 } }],
    records: genotypes.map(({ id }, i) => ({
      genotypeId: id,
      traitId: 'yield',
      plantId: `${id}-1`,
      runId: null,
      value: (i < 3 ? 3 - 0.1 * i : -2) + 0.3 * nextNormal(random),
    })),
    ...more,
  })
  const { standings } = rankKeepers(prepared, { yield: 1 })
  return { prepared, contenderIds: standings.map(({ id }) => id) }
}

test('assigns the bench spots to the contenders and estimates the gain', () => {
  const { prepared, contenderIds } = hunt()
  const plan = planRun(prepared, { yield: 1 }, { places: 14, checks: 2, contenderIds })!
  expect(plan.clones.reduce((sum, { count }) => sum + count, 0)).toBe(12)
  const ofClose = plan.clones.filter(({ genotypeId }) => Number(genotypeId) < 3).reduce((sum, { count }) => sum + count, 0)
  expect(ofClose).toBeGreaterThanOrEqual(9)
  expect(plan.gain).toBeGreaterThan(plan.evenGain)
  expect(plan.evenGain).toBeGreaterThan(0)
  const drawn = plan.clones.map((_, i) => plan.order.filter((place) => place === i).length)
  expect(drawn).toEqual(plan.clones.map(({ count }) => count))
  expect(plan.order.filter((place) => place === -1)).toHaveLength(2)
})

test('predicts the gain of simulated runs', () => {
  const { prepared, contenderIds } = hunt()
  const plan = planRun(prepared, { yield: 1 }, { places: 8, checks: 0, contenderIds })!
  const { heritability, interaction } = prepared.traits[0]!
  const own = prepared.candidates.map((_, i) => ({
    mean: prepared.predicted[i]!,
    variance: prepared.deviation[i]! ** 2,
    error: 1 / (1 / heritability + 1 / prepared.errorShare[i]!),
  }))
  const countOf = (i: number) => plan.clones.find(({ genotypeId }) => genotypeId === prepared.candidates[i]!.id)?.count ?? 0
  const random = createRandom(8)
  let gain = 0
  const runs = 20_000
  for (let n = 0; n < runs; n++) {
    const after = own.map(({ mean, variance, error }, i) => {
      const clones = countOf(i)
      if (clones === 0) return mean
      // Draws the true value around the prediction, and the clones' mean around the true value. Variances are shares of a single plant's.
      const noise = interaction + (1 - heritability - interaction) / clones
      const truth = Math.sqrt(error) * nextNormal(random)
      const seen = truth + Math.sqrt(noise) * nextNormal(random)
      return mean + Math.sqrt(variance / error) * (error / (error + noise)) * seen
    })
    gain += (Math.max(...after) - Math.max(...own.map(({ mean }) => mean))) / runs
  }
  expect(plan.gain / (100 * gain)).toBeCloseTo(1, 1)
})

test('makes the same plan for the same hunt', () => {
  const plan = () => {
    const { prepared, contenderIds } = hunt()
    return planRun(prepared, { yield: 1 }, { places: 6, checks: 1, contenderIds })
  }
  expect(plan()).toEqual(plan())
})

test('makes no plan without spots, without weights, or with fewer than two living contenders', () => {
  const { prepared, contenderIds } = hunt()
  expect(planRun(prepared, { yield: 1 }, { places: 2, checks: 2, contenderIds })).toBeNull()
  expect(planRun(prepared, {}, { places: 8, checks: 0, contenderIds })).toBeNull()
  expect(planRun(prepared, { yield: 1 }, { places: 8, checks: 0, contenderIds: contenderIds.slice(0, 1) })).toBeNull()
  const dead = hunt({ genotypes: genotypes.map(({ id }) => ({ id })) })
  expect(planRun(dead.prepared, { yield: 1 }, { places: 8, checks: 0, contenderIds: dead.contenderIds })).toBeNull()
})
