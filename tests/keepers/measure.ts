import { rankableHunt } from '#agronomy/hunt-ranking.ts'
import { prepareRanking } from '#agronomy/prepare-ranking.ts'
import { rankKeepers } from '#agronomy/rank.ts'
import { judgeByReference } from './reference.ts'
import { type Judgment, randomOf, type Scenario, type SimulatedHunt } from './simulate-hunts.ts'

/** Shares of 1, except `hunts`. */
export type Measured = {
  hunts: number
  claimed: number
  hit: number
  /** Chances of all candidates by tenth of the scale. */
  tenths: { claimed: number; hit: number; count: number }[]
  coverage: number
  /** The chosen candidate's superiority over the mean, as a share of the best's. */
  gain: number
}

/** The product's judgment of a hunt, by the same functions as in the page and on the server. */
export function judgeByProduct(hunt: SimulatedHunt): Judgment {
  const plantsOf = Map.groupBy(hunt.values, ({ pheno }) => pheno)
  const all = [...hunt.candidates, ...hunt.males, ...(hunt.check ? [hunt.check] : [])]
  const { input, weights } = rankableHunt({
    selectsMales: false,
    ranksHarvested: false,
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
      })),
    })),
    traits: [...hunt.curves].map(([id, curve]) => ({
      id,
      ...{
        target: null,
        weight: 1,
        heritability: null,
        must: null,
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

/** Both judge the same hunts, the slow reference only the first of them. The gains are compared on those. */
export function measureScenario(scenario: Scenario, hunts: number, referenceHunts: number, seed: number) {
  const product = emptyMeasure()
  const reference = emptyMeasure()
  let gainOnSame = 0
  for (let n = 0; n < hunts; n++) {
    const hunt = scenario.grow(randomOf(seed + 7919 * n))
    note(product, hunt, judgeByProduct(hunt))
    if (n >= referenceHunts) continue
    note(reference, hunt, judgeByReference(hunt, randomOf(seed + 104_729 * n)))
    gainOnSame = product.gain / (n + 1)
  }
  return { product: finish(product), reference: finish(reference), gainOnSame }
}

export type Comparison = ReturnType<typeof measureScenario>

const emptyMeasure = (): Measured => ({
  ...{ hunts: 0, claimed: 0, hit: 0, coverage: 0, gain: 0 },
  tenths: Array.from({ length: 10 }, () => ({ claimed: 0, hit: 0, count: 0 })),
})

/** Chooses the candidate with the highest score. Candidates that are truly tied for the best share a hit, as they share the draws. */
function note(measured: Measured, { truth }: SimulatedHunt, { score, pBest, interval80 }: Judgment): void {
  const best = Math.max(...truth)
  const ties = truth.filter((value) => value === best).length
  const isHit = (i: number) => (truth[i] === best ? 1 / ties : 0)
  const chosen = score.reduce((top, value, i) => (value > score[top]! ? i : top), 0)
  const meanTruth = truth.reduce((sum, value) => sum + value, 0) / truth.length
  const meanScore = score.reduce((sum, value) => sum + value, 0) / score.length
  measured.hunts++
  measured.claimed += pBest[chosen]!
  measured.hit += isHit(chosen)
  for (const [i, chance] of pBest.entries()) {
    const tenth = measured.tenths[Math.min(9, Math.floor(10 * chance))]!
    tenth.count++
    tenth.claimed += chance
    tenth.hit += isHit(i)
  }
  const isCovered = (value: number, i: number) => {
    const [low, high] = interval80[i]!
    const centered = value - meanTruth + meanScore
    return centered >= low && centered <= high
  }
  measured.coverage += truth.filter(isCovered).length / truth.length
  measured.gain += (truth[chosen]! - meanTruth) / (best - meanTruth)
}

function finish({ hunts, claimed, hit, tenths, coverage, gain }: Measured): Measured {
  return {
    hunts,
    claimed: claimed / hunts,
    hit: hit / hunts,
    tenths: tenths.map((tenth) => ({ claimed: tenth.claimed / tenth.count, hit: tenth.hit / tenth.count, count: tenth.count })),
    coverage: coverage / hunts,
    gain: gain / hunts,
  }
}

/** Limits in percentage points. */
export type Limits = { overall: number; tenth: number; coverage: [number, number]; gain: number }

/** A tenth of the scale is checked if at least 30 chances per 400 hunts fall into it. */
export const minInTenth = (hunts: number): number => (30 * hunts) / 400

/** The limits that a scenario exceeds. */
export function brokenLimits({ product, reference, gainOnSame }: Comparison, limits: Limits): string[] {
  const broken: string[] = []
  const points = (share: number) => (100 * share).toFixed(1)
  if (100 * Math.abs(product.claimed - product.hit) > limits.overall)
    broken.push(`claims ${points(product.claimed)}, right in ${points(product.hit)}`)
  for (const [i, { claimed, hit, count }] of product.tenths.entries()) {
    if (count >= minInTenth(product.hunts) && 100 * Math.abs(claimed - hit) > limits.tenth)
      broken.push(`from ${10 * i}%: claims ${points(claimed)}, right in ${points(hit)} of ${count}`)
  }
  const coverage = 100 * product.coverage
  if (coverage < limits.coverage[0] || coverage > limits.coverage[1]) broken.push(`intervals cover ${coverage.toFixed(1)}`)
  if (100 * (reference.gain - gainOnSame) > limits.gain) broken.push(`gains ${points(gainOnSame)}, the reference ${points(reference.gain)}`)
  return broken
}

/** Limits of a scenario. They are wider where the hunt's data can't separate the effects. */
export const limitsOf = ({ isUnidentified }: Scenario): Limits =>
  isUnidentified ? { overall: 6, tenth: 8, coverage: [72, 88], gain: 2 } : { overall: 4, tenth: 8, coverage: [76, 84], gain: 2 }
