import { describe, expect, test } from 'vitest'
import { predictTrait } from './predict.ts'
import { prepareRanking, type RankingRecord } from './prepare-ranking.ts'
import { createRandom, nextNormal, type Random } from './random.ts'
import { rankKeepers } from './rank.ts'

/** Simulated hunts with known truth and fixed seeds, to check that the ranking is right as often as it claims. */

/** Wide enough that no record reaches a bound, so that desirability is a linear function of the value. */
const curve = { direction: 'max', low: -12, high: 12 } as const
const scoreOf = (value: number) => (100 * (value + 12)) / 24

const indexOfLargest = (values: readonly number[]) => values.reduce((best, value, i) => (value > values[best]! ? i : best), 0)

test('puts the truly best of 30 in first place as often as expected', { timeout: 20_000 }, () => {
  const random = createRandom(20_261_121)
  const hunts = 6000
  const settings = [0.5, 0.3].flatMap((heritability) => [1, 2, 4].map((clones) => ({ heritability, clones, right: 0 })))
  for (let hunt = 0; hunt < hunts; hunt++) {
    const genotypes = Array.from({ length: 30 }, () => nextNormal(random))
    const errors = genotypes.map(() => [1, 2, 3, 4].map(() => nextNormal(random)))
    const best = indexOfLargest(genotypes)
    for (const setting of settings) {
      const genetic = setting.heritability
      const groups = genotypes.map((value, i) =>
        errors[i]!.slice(0, setting.clones).map((error) => Math.sqrt(genetic) * value + Math.sqrt(1 - genetic) * error),
      )
      const { predictions } = predictTrait(groups, { genetic, residual: 1 - genetic })
      if (indexOfLargest(predictions.map(({ value }) => value)) === best) setting.right++
    }
  }
  const shares = settings.map(({ right }) => (100 * right) / hunts)
  const reference = [32, 44, 55, 21, 29, 39]
  // From 60,000 hunts ranked by plain means, which is equivalent if all have equally many clones.
  const longRun = [31.2, 42.4, 54.1, 20.3, 28.8, 39.9]
  for (const [i, share] of shares.entries()) {
    expect(Math.abs(share - reference[i]!)).toBeLessThan(2)
    expect(Math.abs(share - longRun[i]!)).toBeLessThan(1.5)
  }
})

type Setting = {
  candidates: number
  clones: (candidate: number) => number
  heritability: number
  /** The heritability above is only stated; the true one is anywhere from 0.1 to 0.9. */
  isVague?: boolean
  traits: number
  correlation: number
  missing: number
}
type Trial = { truth: number[]; records: RankingRecord[] }

/** Simulates plants of genotypes in several traits with equal genetic and residual correlations. */
function grow(random: Random, { candidates, clones, heritability, traits, correlation, missing }: Setting): Trial {
  const draw = () => {
    const common = nextNormal(random)
    return Array.from({ length: traits }, () => Math.sqrt(correlation) * common + Math.sqrt(1 - correlation) * nextNormal(random))
  }
  const truth: number[] = []
  const records: RankingRecord[] = []
  for (let g = 0; g < candidates; g++) {
    const genetic = draw().map((value) => value * Math.sqrt(heritability))
    truth.push(scoreOf(genetic.reduce((sum, value) => sum + value, 0) / traits))
    for (let p = 0; p < clones(g); p++) {
      for (const [t, error] of draw().entries()) {
        if (random() / 2 ** 32 < missing) continue
        const value = genetic[t]! + error * Math.sqrt(1 - heritability)
        records.push({ genotypeId: `${g}`, traitId: `${t}`, plantId: `${g}-${p}`, runId: null, value })
      }
    }
  }
  return { truth, records }
}

function simulate(setting: Setting, hunts: number, seed: number) {
  const random = createRandom(seed)
  const result = { right: 0, claimed: 0, within80: 0, within95: 0 }
  for (let hunt = 0; hunt < hunts; hunt++) {
    const heritability = setting.isVague ? 0.1 + (0.8 * random()) / 2 ** 32 : setting.heritability
    const { truth, records } = grow(random, { ...setting, heritability })
    const traitIds = Array.from({ length: setting.traits }, (_, t) => `${t}`)
    const prepared = prepareRanking({
      genotypes: truth.map((_, g) => ({ id: `${g}` })),
      traits: traitIds.map((id) => ({ id, curve, heritability: setting.heritability })),
      records,
      draws: 64,
      seed: hunt,
    })
    const { standings } = rankKeepers(prepared, Object.fromEntries(traitIds.map((id) => [id, 1])))
    if (standings[0]!.id === `${indexOfLargest(truth)}`) result.right += 1 / hunts
    result.claimed += standings[0]!.pBest / hunts
    for (const { id, interval80, interval95 } of standings) {
      const true_ = truth[Number(id)]!
      const part = 1 / hunts / truth.length
      if (true_ >= interval80[0] && true_ <= interval80[1]) result.within80 += part
      if (true_ >= interval95[0] && true_ <= interval95[1]) result.within95 += part
    }
  }
  return result
}

const usual: Setting = { candidates: 30, clones: () => 2, heritability: 0.5, traits: 1, correlation: 0, missing: 0 }

describe('the ranking', () => {
  test.each<[string, Setting, number]>([
    ['one plant each and a stated heritability', { ...usual, clones: () => 1, isVague: true }, 700],
    ['two plants each', usual, 700],
    ['unequal numbers of plants', { ...usual, clones: (g) => (g % 3 === 0 ? 4 : 1), heritability: 0.3 }, 700],
    ['eight candidates', { ...usual, candidates: 8, heritability: 0.3 }, 900],
    ['five correlated traits with a fifth missing', { ...usual, traits: 5, correlation: 0.4, missing: 0.2 }, 400],
  ])('claims chances and intervals that match the truth with %s', { timeout: 20_000 }, (_name, setting, hunts) => {
    const { right, claimed, within80, within95 } = simulate(setting, hunts, 42)
    expect(Math.abs(claimed - right)).toBeLessThan(0.03)
    // A guessed heritability makes intervals wider, so they contain more than 80%, never less.
    const spare = setting.isVague ? 0.03 : 0
    expect(Math.abs(within80 - 0.8 - spare)).toBeLessThan(0.03)
    expect(Math.abs(within95 - 0.95 - spare / 2)).toBeLessThan(0.02)
  })
})

test('beats choosing by the plain mean of few plants', { timeout: 20_000 }, () => {
  const random = createRandom(9)
  const hunts = 1000
  let shrunken = 0
  let plain = 0
  for (let hunt = 0; hunt < hunts; hunt++) {
    const { truth, records } = grow(random, { ...usual, clones: (g) => (g % 3 === 0 ? 4 : 1), heritability: 0.3 })
    const groups = truth.map((_, g) => records.filter(({ genotypeId }) => genotypeId === `${g}`).map(({ value }) => value))
    const { predictions } = predictTrait(groups, { genetic: 0.3, residual: 0.7 })
    shrunken += truth[indexOfLargest(predictions.map(({ value }) => value))]!
    plain += truth[indexOfLargest(predictions.map(({ ownMean }) => ownMean!))]!
  }
  // In genetic standard deviations of the winner: 24 units of the scale are 100 points.
  const gain = ((shrunken - plain) / hunts / 100) * (24 / Math.sqrt(0.3))
  expect(gain).toBeGreaterThan(0.15)
})
