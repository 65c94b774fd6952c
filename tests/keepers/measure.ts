import { rankableHunt } from '#agronomy/hunt-ranking.ts'
import { prepareRanking } from '#agronomy/prepare-ranking.ts'
import { rankKeepers } from '#agronomy/rank.ts'
import { judgeByReference } from './reference.ts'
import { type Judgment, randomOf, type Scenario, type SimulatedHunt } from './simulate-hunts.ts'

/** A mean over hunts, and its standard error. */
export type Mean = { mean: number; error: number }

/** All are between 0 and 1, except `hunts` and `count`. */
export type Measured = {
  hunts: number
  /** The mean claim for the chosen candidates. The error of `right` assumes that every claim is true. */
  claimed: number
  right: Mean
  /** Chances of all candidates by tenth of the scale. */
  tenths: { claimed: number; right: Mean; count: number }[]
  coverage: Mean
  /** The chosen candidate's superiority over the mean, as a share of the best's. */
  gain: Mean
}

/**
 * `sameHunts`: the product's result for the hunts that the slow reference also judges; `loss`: how much more the reference gains on them.
 */
export type Comparison = { product: Measured; sameHunts: Measured; reference: Measured; loss: Mean }

/** The product's judgment of a hunt, using the same functions as the page and the server. */
export function judgeByProduct(hunt: SimulatedHunt): Judgment {
  const plantsOf = Map.groupBy(hunt.values, ({ pheno }) => pheno)
  const all = [...hunt.candidates, ...hunt.males, ...(hunt.check ? [hunt.check] : [])]
  const { input, weights } = rankableHunt({
    selectsMales: false,
    ranksHarvested: false,
    stages: [],
    genotypes: all.map((id, i) => ({
      id,
      number: i + 1,
      kind: id === hunt.check ? 'check' : 'seed',
      sex: hunt.males.includes(id) ? 'male' : 'female',
      standing: null,
      plants: [...new Set((plantsOf.get(id) ?? [{ plant: `${id}-seed` }]).map(({ plant }) => plant))].map((plant) => ({
        id: plant,
        isAlive: true,
        endedHow: null,
        stage: null,
      })),
    })),
    traits: [...hunt.curves].map(([id, curve]) => ({
      id,
      ...{
        target: null,
        weight: 1,
        heritability: null,
        must: null,
        fromStage: null,
        toStage: null,
        isArchived: false,
        source: 'observation',
        kind: hunt.isOrdinal ? 'ordinal' : 'number',
      },
      ...curve,
    })),
    records: hunt.values.map(({ trait, plant, run, observer, value }) => ({
      traitId: trait,
      plantId: plant,
      runId: run,
      observer,
      number: value,
    })),
  })
  const { standings } = rankKeepers(prepareRanking(input), weights)
  const byId = new Map(standings.map((standing) => [standing.id, standing]))
  const ranked = hunt.candidates.map((id) => byId.get(id))
  return {
    score: ranked.map((each) => (each?.score ?? 0) / 100),
    pBest: ranked.map((each) => each?.pBest ?? 0),
    interval80: ranked.map((each) => [(each?.interval80[0] ?? 0) / 100, (each?.interval80[1] ?? 0) / 100]),
  }
}

/** The product ranks all hunts; the slow reference ranks only the first `referenceHunts`. */
export function measureScenario(scenario: Scenario, hunts: number, referenceHunts: number, seed: number): Comparison {
  const product = tally()
  const sameHunts = tally()
  const reference = tally()
  const losses: number[] = []
  for (let n = 0; n < hunts; n++) {
    const hunt = scenario.grow(randomOf(seed + 7919 * n))
    const judgment = judgeByProduct(hunt)
    const gain = product.note(hunt, judgment)
    if (n >= referenceHunts) continue
    sameHunts.note(hunt, judgment)
    losses.push(reference.note(hunt, judgeByReference(hunt, randomOf(seed + 104_729 * n))) - gain)
  }
  return { product: product.measured(), sameHunts: sameHunts.measured(), reference: reference.measured(), loss: meanOf(losses) }
}

function tally() {
  const chosen = emptyClaims()
  const tenths = Array.from({ length: 10 }, emptyClaims)
  const coverages: number[] = []
  const gains: number[] = []
  return {
    /**
     * Records how the candidate with the highest score compares with the truth, and returns its gain. Each of n candidates truly tied for
     * the best counts as 1/n of a hit.
     */
    note({ truth }: SimulatedHunt, { score, pBest, interval80 }: Judgment): number {
      const best = Math.max(...truth)
      const ties = truth.filter((value) => value === best).length
      const rightOf = (i: number) => (truth[i] === best ? 1 / ties : 0)
      const choice = score.reduce((top, value, i) => (value > score[top]! ? i : top), 0)
      const meanTruth = truth.reduce((sum, value) => sum + value, 0) / truth.length
      const meanScore = score.reduce((sum, value) => sum + value, 0) / score.length
      addClaim(chosen, pBest[choice]!, rightOf(choice))
      for (const [i, chance] of pBest.entries()) addClaim(tenths[Math.min(9, Math.floor(10 * chance))]!, chance, rightOf(i))
      const isCovered = (value: number, i: number) => {
        const [low, high] = interval80[i]!
        const centered = value - meanTruth + meanScore
        return centered >= low && centered <= high
      }
      const gain = (truth[choice]! - meanTruth) / (best - meanTruth)
      coverages.push(truth.filter(isCovered).length / truth.length)
      gains.push(gain)
      return gain
    },
    measured: (): Measured => ({
      hunts: gains.length,
      ...meanClaim(chosen),
      tenths: tenths.map((claims) => ({ ...meanClaim(claims), count: claims.count })),
      coverage: meanOf(coverages),
      gain: meanOf(gains),
    }),
  }
}

type Claims = { claimed: number; right: number; variance: number; count: number }

const emptyClaims = (): Claims => ({ claimed: 0, right: 0, variance: 0, count: 0 })

function addClaim(claims: Claims, chance: number, right: number): void {
  claims.claimed += chance
  claims.right += right
  claims.variance += chance * (1 - chance)
  claims.count++
}

const meanClaim = ({ claimed, right, variance, count }: Claims) => ({
  claimed: claimed / count,
  right: { mean: right / count, error: Math.sqrt(variance) / count },
})

function meanOf(values: readonly number[]): Mean {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, error: Math.sqrt(squares / Math.max(values.length - 1, 1) / values.length) }
}

/** Limits in percentage points. `coverage` is how much more or less than 80% the intervals may cover. */
export type Limits = { overall: number; tenth: number; coverage: number; gain: number }

/** Limits are wider where the hunt's data can't separate the effects. */
export const limitsOf = ({ isUnidentified }: Scenario): Limits =>
  isUnidentified ? { overall: 6, tenth: 8, coverage: 8, gain: 2 } : { overall: 4, tenth: 8, coverage: 4, gain: 2 }

/** A tenth of the scale is checked if at least 30 chances per 400 hunts fall into it. */
export const minInTenth = (hunts: number): number => (30 * hunts) / 400

/**
 * A limit is never tighter than chance: with few hunts, this many standard errors replace it. All scenarios together have about 85
 * limits, and a perfect model exceeds one of them in 1 of 100 runs (Bonferroni). With 8,000 or more hunts, chance doesn't widen any limit:
 * the standard error of a tenth with 600 predictions is at most 2.04 points.
 */
const standardErrors = 3.85

/** The limits that a scenario exceeds. */
export function brokenLimits({ product, sameHunts, reference, loss }: Comparison, limits: Limits): string[] {
  const broken: string[] = []
  const points = (share: number) => (100 * share).toFixed(1)
  const allowed = (limit: number, error: number) => Math.max(limit, 100 * standardErrors * error)
  const isOff = (difference: number, limit: number, error: number) => !(100 * difference <= allowed(limit, error))
  if (isOff(Math.abs(product.claimed - product.right.mean), limits.overall, product.right.error))
    broken.push(`claims ${points(product.claimed)}, right in ${points(product.right.mean)}`)
  for (const [i, { claimed, right, count }] of product.tenths.entries()) {
    if (count >= minInTenth(product.hunts) && isOff(Math.abs(claimed - right.mean), limits.tenth, right.error))
      broken.push(`from ${10 * i}%: claims ${points(claimed)}, right in ${points(right.mean)} of ${count}`)
  }
  if (isOff(Math.abs(product.coverage.mean - 0.8), limits.coverage, product.coverage.error))
    broken.push(`intervals cover ${points(product.coverage.mean)}`)
  if (isOff(loss.mean, limits.gain, loss.error))
    broken.push(`gains ${points(sameHunts.gain.mean)}, the reference ${points(reference.gain.mean)}`)
  return broken
}
