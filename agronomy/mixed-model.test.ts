import { describe, expect, test } from 'vitest'
import { assumedInteraction, evidenceOf, fitTrait, type TraitValue } from './mixed-model.ts'
import { createRandom, nextNormal } from './random.ts'

const value = (
  genotypeId: string,
  number: number,
  plant = 1,
  runId: string | null = null,
  observerId: string | null = null,
): TraitValue => ({
  genotypeId,
  plantId: `${genotypeId}-${plant}`,
  runId,
  observerId,
  value: number,
})
const ids = Array.from({ length: 24 }, (_, i) => `${i}`)
const fitted = (values: readonly TraitValue[], more: { checks?: string[]; stated?: number } = {}) =>
  fitTrait({ values, genotypeIds: ids, checkIds: new Set(more.checks), stated: more.stated ?? null, scaleWidth: 10 })

/** Four clones of each phenotype in four runs; `share` is the phenotype's share of the variance. */
function grown(share: number, seed: number): TraitValue[] {
  const random = createRandom(seed)
  return ids.flatMap((id) => {
    const own = Math.sqrt(share) * nextNormal(random)
    return [1, 2, 3, 4].map((plant) => value(id, own + Math.sqrt(1 - share) * nextNormal(random), plant, `run ${plant}`))
  })
}

describe('heritability', () => {
  test.each([0.1, 0.4, 0.8])('is estimated from clones: %s', (share) => {
    const found = [1, 2, 3, 4, 5, 6].map((seed) => fitted(grown(share, seed)).heritability)
    expect(Math.abs(found.reduce((sum, each) => sum + each, 0) / found.length - share)).toBeLessThan(0.12)
  })

  test('is near the stated or usual share if there are no clones, but remains uncertain', () => {
    const single = grown(0.4, 1).filter(({ plantId }) => plantId.endsWith('-1'))
    expect(Math.abs(fitted(single).heritability - 0.4)).toBeLessThan(0.03)
    expect(fitted(single, { stated: 0.8 }).heritability).toBeGreaterThan(0.6)
    expect(fitted(single, { stated: 0.8 })).toMatchObject({ source: 'stated', assumesInteraction: true })
    const shares = fitted(single, { stated: 0.8 }).points.map(({ genotype }) => genotype)
    expect(Math.min(...shares)).toBeLessThan(0.5)
  })

  test('is estimated from clones even if the stated share is wrong', () => {
    expect(fitted(grown(0.1, 3), { stated: 0.9 }).heritability).toBeLessThan(0.4)
  })
})

test('estimates how phenotypes interact with runs, and assumes the usual interaction for a single run', () => {
  const grownIn = (runs: string[], seed: number) => {
    const random = createRandom(seed)
    return ids.flatMap((id) =>
      runs.flatMap((run, r) => {
        const inRun = Math.sqrt(0.4) * nextNormal(random)
        return [1, 2].map((plant) => value(id, inRun + Math.sqrt(0.6) * nextNormal(random), 2 * r + plant, run))
      }),
    )
  }
  const several = [1, 2, 3, 4].map((seed) => fitted(grownIn(['a', 'b', 'c'], seed)))
  const mean = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
  expect(several.some(({ assumesInteraction }) => assumesInteraction)).toBe(false)
  expect(mean(several.map(({ interaction }) => interaction))).toBeGreaterThan(0.2)
  expect(mean(several.map(({ heritability }) => heritability))).toBeLessThan(0.2)
  expect(fitted(grownIn(['a'], 1))).toMatchObject({ assumesInteraction: true, interaction: expect.closeTo(0.15, 9) })
})

test('expects the usual interaction where one clone per run reveals nothing about it', () => {
  expect(fitted(grown(0.1, 1))).toMatchObject({ assumesInteraction: false, interaction: expect.closeTo(assumedInteraction, 2) })
})

test('estimates the effect of a strict observer', () => {
  const values = grown(0.6, 5).map((each, i) => {
    const isStrict = Number(each.genotypeId) < 12
    return { ...each, runId: null, observerId: isStrict ? 'strict' : i % 8 === 0 ? 'both' : 'kind', value: each.value - (isStrict ? 3 : 0) }
  })
  const { design, points } = fitted(values)
  const best = points.reduce((top, point) => (point.weight > top.weight ? point : top))
  const effect = (name: string) => best.solution[design.observers.get(name) as number] as number
  expect(Math.abs(effect('kind') - effect('strict') - 3)).toBeLessThan(1.2)
})

test('leaves a check clone out of the variance and the mean', () => {
  const values = grown(0.4, 2)
  const check = ['run 1', 'run 2', 'run 3', 'run 4'].map((run, i) => value('check', 30, i, run))
  const [without, withCheck] = [fitted(values), fitted([...values, ...check], { checks: ['check'] })]
  expect(withCheck.design.genotypes).toBe(24)
  expect(Math.abs(withCheck.variance / without.variance - 1)).toBeLessThan(0.15)
  expect(Math.abs(withCheck.points[0]!.solution[0]! - without.points[0]!.solution[0]!)).toBeLessThan(0.2)
})

test('weights plants, repeated values, and runs as the equations require', () => {
  const shares = { genotype: 0.4, interaction: 0.1, plant: 0.2, residual: 0.3, run: 1, observer: 1 }
  const values = [value('0', 1, 1, 'a'), value('0', 3, 1, 'a'), value('1', 5, 1, 'a'), value('1', 7, 2, 'b'), value('3', 4, 1, 'b')]
  const [twice, twoRuns, none] = evidenceOf(fitted(values).design, shares, 3)
  // Two values of one plant share everything but the residual.
  expect(twice).toMatchObject({ mean: 2, runs: 1, variance: expect.closeTo(0.1 + 0.2 + 0.3 / 2, 12) })
  expect(twoRuns).toMatchObject({ mean: expect.closeTo(6, 12), runs: 2 })
  expect(none).toBeNull()
})

test('treats the leaning of an observer who scored only one phenotype as noise', () => {
  const lone = [value('0', 9, 1, null, 'guest'), ...ids.slice(1).map((id) => value(id, Number(id) % 5, 1, null, 'grower'))]
  const { design } = fitted(lone)
  expect([design.observers.has('guest'), design.observers.has('grower')]).toEqual([false, true])
  const shares = { genotype: 0.4, interaction: 0.1, plant: 0.25, residual: 0.25, run: 1, observer: 2 }
  const [guest, grower] = evidenceOf(design, shares, 2)
  expect(guest!.variance - grower!.variance).toBeCloseTo(2, 12)
})
