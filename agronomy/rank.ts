import { combine, type WeighedTrait, type Weights, weigh } from './combine-scores.ts'
import { drawStandings } from './draw-standings.ts'
import type { PreparedRanking } from './prepare-ranking.ts'
import { fewestDegrees } from './variance.ts'

export type Contribution = {
  traitId: string
  /** The trait's share of all weights, from 0 to 1. */
  share: number
  /** From 0 to 1, after shrinking. */
  predicted: number
  /** The mean of the genotype's own plants before shrinking; null when it has no record. */
  ownMean: number | null
  reliability: number
  plants: number
  /** What it adds to the score; these add up to it. */
  points: number
}

export type Standing = {
  id: string
  /** 1 is the best. */
  rank: number
  /** 0 to 100: the weighted mean of the predicted desirabilities. */
  score: number
  /** The true score lies within with a chance of 80 % and 95 %. */
  interval80: [number, number]
  interval95: [number, number]
  /** The chance that it is truly the best, and truly among the best three. */
  pBest: number
  pTop3: number
  /** The chance that it is truly better than the leader; null for the leader. */
  pBeatsLeader: number | null
  contributions: Contribution[]
  /** Traits that count and of which it has no record. */
  missingTraits: string[]
  plants: number
  records: number
}

export type Verdict =
  /** No candidate, no weight above 0, or no record of a trait that has one. */
  | { kind: 'no-candidates' | 'no-weights' | 'no-records' }
  /** The leader's P(best) is at least `clearFrom`. */
  | { kind: 'clear'; leaderId: string; withinReach: string[] }
  | { kind: 'too-close'; leaderId: string; withinReach: string[] }

export type Ranking = {
  standings: Standing[]
  /** `withinReach`: the fewest that, with the leader, hold the truly best with a chance of `reachHolds`; likeliest first. */
  verdict: Verdict
  /** Traits with a weight that nobody has a record of: they have no part in the score. */
  unmeasuredTraits: string[]
  /** Runs of traits with a weight whose records could not be adjusted to the rest. */
  notComparable: { traitId: string; runIds: (string | null)[] }[]
}

/** Four out of five: what a selection procedure calls P* (R. E. Bechhofer 1954). Below it, it is too close to call. */
export const clearFrom = 0.8
export const reachHolds = 0.9

/** The standard normal's quantiles at 0.9 and 0.975. */
const z80 = 1.2815515655446004
const z95 = 1.959963984540054

/**
 * Student's t in place of the normal, because the spread too is known from so many genotypes only: the expansion of R. A. Fisher &
 * E. A. Cornish (M. Abramowitz & I. A. Stegun, 26.7.5), to two digits from 5 degrees of freedom on.
 */
function widen(z: number, degrees: number): number {
  const square = z * z
  const first = (z * (square + 1)) / 4
  const second = (z * ((5 * square + 16) * square + 3)) / 96
  return z + (first + second / degrees) / degrees
}

/** Answers only what the prepared draws and figures say: the same on every engine, and the same for weights times any factor. */
export function rankKeepers(prepared: PreparedRanking, weights: Weights): Ranking {
  const parts = weigh(prepared, weights)
  const weighted = prepared.traits.filter(({ id }) => (weights[id] ?? 0) > 0)
  const ranking: Ranking = {
    standings: [],
    verdict: { kind: 'no-weights' },
    unmeasuredTraits: weighted.filter(({ isMeasured }) => !isMeasured).map(({ id }) => id),
    notComparable: weighted
      .filter(({ adjustment }) => adjustment.notComparable.length > 0)
      .map(({ id, adjustment }) => ({ traitId: id, runIds: adjustment.notComparable })),
  }
  if (prepared.candidates.length === 0) return { ...ranking, verdict: { kind: 'no-candidates' } }
  if (weighted.length === 0) return ranking
  if (parts.length === 0) return { ...ranking, verdict: { kind: 'no-records' } }

  const { mean, own, shared, total } = combine(prepared, parts)
  const degrees = 1 / parts.reduce((sum, { trait, share }) => sum + share / Math.max(trait.variance.genotypes - 1, fewestDegrees), 0)
  const width80 = 100 * widen(z80, degrees)
  const width95 = 100 * widen(z95, degrees)
  const leader = mean.reduce((best, value, i) => (value > (mean[best] as number) ? i : best), 0)
  const chances = drawStandings(prepared, { mean, own, shared }, leader)
  const order = prepared.candidates
    .map((_, i) => i)
    .sort((a, b) => (mean[b] as number) - (mean[a] as number) || Number(b === leader) - Number(a === leader) || a - b)
  ranking.standings = order.map((i, place) => {
    const { id, plants, records } = prepared.candidates[i] as (typeof prepared.candidates)[number]
    const contributions = parts.map((part) => contributionOf(prepared, i, part))
    const score = 100 * (mean[i] as number)
    return {
      id,
      rank: place + 1,
      score,
      interval80: around(score, width80 * (total[i] as number)),
      interval95: around(score, width95 * (total[i] as number)),
      pBest: chances.best[i] as number,
      pTop3: chances.top3[i] as number,
      pBeatsLeader: i === leader ? null : (chances.beatsLeader[i] as number),
      contributions,
      missingTraits: contributions.filter((each) => each.plants === 0).map((each) => each.traitId),
      plants,
      records,
    }
  })
  return { ...ranking, verdict: judge(ranking.standings) }
}

function contributionOf(prepared: PreparedRanking, candidate: number, { trait, column, share }: WeighedTrait): Contribution {
  const cell = candidate * prepared.traits.length + column
  const predicted = prepared.predicted[cell] as number
  return {
    traitId: trait.id,
    share,
    predicted,
    ownMean: prepared.ownMean[cell] ?? null,
    reliability: prepared.reliability[cell] as number,
    plants: prepared.plants[cell] as number,
    points: 100 * share * predicted,
  }
}

/** A score is never outside of 0 to 100, and neither is what holds it. */
function around(score: number, width: number): [number, number] {
  return [Math.max(0, score - width), Math.min(100, score + width)]
}

function judge(standings: readonly Standing[]): Verdict {
  const leader = standings[0] as Standing
  const withinReach: string[] = []
  let held = leader.pBest
  for (const rival of standings.slice(1).sort((a, b) => b.pBest - a.pBest || a.rank - b.rank)) {
    if (held >= reachHolds) break
    withinReach.push(rival.id)
    held += rival.pBest
  }
  return { kind: leader.pBest >= clearFrom ? 'clear' : 'too-close', leaderId: leader.id, withinReach }
}
