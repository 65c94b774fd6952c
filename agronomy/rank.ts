import { type Combined, combine, meanScores, type WeighedTrait, type Weights, weigh } from './combine-scores.ts'
import { minDegrees } from './predict.ts'
import type { PreparedRanking } from './prepare-ranking.ts'

export type Contribution = {
  traitId: string
  /** The trait's share of all weights, from 0 to 1. */
  share: number
  /** From 0 to 1, after shrinkage. */
  predicted: number
  /** The mean of the genotype's own plants before shrinkage; null without a record. */
  ownMean: number | null
  reliability: number
  plants: number
  /** Its contribution in points; contributions add up to the score. */
  points: number
}

export type Standing = {
  id: string
  /** 1 is the best. */
  rank: number
  /** From 0 to 100: the weighted mean of the predicted desirabilities. */
  score: number
  /** Contains the true score with a probability of 80% and 95%. */
  interval80: [number, number]
  interval95: [number, number]
  /** Probabilities of truly being the best, and of being in the top three. */
  pBest: number
  pTop3: number
  /** Probability of truly being better than the leader; null for the leader. */
  pBeatsLeader: number | null
  contributions: Contribution[]
  /** Weighted traits it has no record of. */
  missingTraits: string[]
  plants: number
  records: number
}

export type Verdict =
  /** There is no candidate, no weight above 0, or no record of a weighted trait. */
  | { kind: 'no-candidates' | 'no-weights' | 'no-records' }
  /** The leader's P(best) is at least `clearFrom`. */
  | { kind: 'clear'; leaderId: string; withinReach: string[] }
  | { kind: 'too-close'; leaderId: string; withinReach: string[] }

export type Ranking = {
  standings: Standing[]
  /**
   * `withinReach`: the smallest set that, with the leader, contains the true best with a probability of `reachHolds`; most likely first.
   */
  verdict: Verdict
  /** Weighted traits without any record; they don't count toward the score. */
  unmeasuredTraits: string[]
  /** Weighted traits with runs whose records couldn't be adjusted to the rest. */
  notComparable: { traitId: string; runIds: (string | null)[] }[]
}

/** What selection procedures call P* (R. E. Bechhofer 1954). Below it, the ranking is too close to call. */
export const clearFrom = 0.8
export const reachHolds = 0.9

/** Quantiles of the standard normal at 0.9 and 0.975. */
const z80 = 1.2815515655446004
const z95 = 1.959963984540054

/**
 * Student's t instead of the normal, because the spread is estimated from a limited number of genotypes. Uses the expansion of R. A. Fisher
 * & E. A. Cornish (M. Abramowitz & I. A. Stegun, 26.7.5), accurate to two digits from 5 degrees of freedom on.
 */
function widen(z: number, degrees: number): number {
  const square = z * z
  const first = (z * (square + 1)) / 4
  const second = (z * ((5 * square + 16) * square + 3)) / 96
  return z + (first + second / degrees) / degrees
}

/** Deterministic given the prepared draws: identical on every engine, and invariant to scaling all weights. */
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
  const degrees = 1 / parts.reduce((sum, { trait, share }) => sum + share / Math.max(trait.variance.genotypes - 1, minDegrees), 0)
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

/** Clamps an interval to the range of scores, 0 to 100. */
function around(score: number, width: number): [number, number] {
  return [Math.max(0, score - width), Math.min(100, score + width)]
}

function judge(standings: readonly Standing[]): Verdict {
  const leader = standings[0] as Standing
  const withinReach: string[] = []
  let confidence = leader.pBest
  for (const rival of standings.slice(1).sort((a, b) => b.pBest - a.pBest || a.rank - b.rank)) {
    if (confidence >= reachHolds) break
    withinReach.push(rival.id)
    confidence += rival.pBest
  }
  return { kind: leader.pBest >= clearFrom ? 'clear' : 'too-close', leaderId: leader.id, withinReach }
}

export type Chances = { best: Float64Array; top3: Float64Array; beatsLeader: Float64Array }

/** How often each candidate is best, in the top three, and ahead of the leader across the random draws. Ties share a place. */
function drawStandings(prepared: PreparedRanking, { mean, own, shared }: Omit<Combined, 'total'>, leader: number): Chances {
  const { draws, normals, sharedNormals } = prepared
  const count = prepared.candidates.length
  const factors = prepared.sharedLoadings.length
  const best = new Float64Array(count)
  const top3 = new Float64Array(count)
  const beatsLeader = new Float64Array(count)
  const scores = new Float64Array(count)
  for (let draw = 0; draw < draws; draw++) {
    const start = draw * count
    for (let i = 0; i < count; i++) scores[i] = (mean[i] as number) + (own[i] as number) * (normals[start + i] as number)
    for (let f = 0; f < factors; f++) {
      const error = sharedNormals[draw * factors + f] as number
      for (let i = 0; i < count; i++) scores[i] = (scores[i] as number) + (shared[i * factors + f] as number) * error
    }
    let first = Number.NEGATIVE_INFINITY
    let second = first
    let third = first
    let fourth = first
    let firstAt = -1
    let secondAt = -1
    let thirdAt = -1
    const leading = scores[leader] as number
    for (let i = 0; i < count; i++) {
      const score = scores[i] as number
      if (score > leading) beatsLeader[i] = (beatsLeader[i] as number) + 1
      else if (score === leading) beatsLeader[i] = (beatsLeader[i] as number) + 0.5
      if (score <= third) {
        if (score > fourth) fourth = score
        continue
      }
      fourth = third
      if (score <= second) {
        third = score
        thirdAt = i
        continue
      }
      third = second
      thirdAt = secondAt
      if (score <= first) {
        second = score
        secondAt = i
        continue
      }
      second = first
      secondAt = firstAt
      first = score
      firstAt = i
    }
    if (first > second && (third > fourth || count <= 3)) {
      best[firstAt] = (best[firstAt] as number) + 1
      for (const at of [firstAt, secondAt, thirdAt]) if (at >= 0) top3[at] = (top3[at] as number) + 1
    } else shareTies(scores, first, third, best, top3)
  }
  for (let i = 0; i < count; i++) {
    best[i] = (best[i] as number) / draws
    top3[i] = (top3[i] as number) / draws
    beatsLeader[i] = (beatsLeader[i] as number) / draws
  }
  return { best, top3, beatsLeader }
}

function shareTies(scores: Float64Array, first: number, third: number, best: Float64Array, top3: Float64Array): void {
  let atFirst = 0
  let aboveThird = 0
  let atThird = 0
  for (const score of scores) {
    if (score === first) atFirst++
    if (score > third) aboveThird++
    else if (score === third) atThird++
  }
  const share = Math.min(1, (3 - aboveThird) / Math.max(atThird, 1))
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] as number
    if (score === first) best[i] = (best[i] as number) + 1 / atFirst
    if (score > third) top3[i] = (top3[i] as number) + 1
    else if (score === third) top3[i] = (top3[i] as number) + share
  }
}

/** The winner after changing the weight of one trait. */
type WeightChange = { traitId: string; factor: number; winnerId: string; changesWinner: boolean }

type Sensitivity = {
  winnerId: string
  /** One trait's weight changed at a time, down and up. */
  changes: WeightChange[]
  /**
   * Candidates that would beat the winner if all weights changed at once, each within the same bounds, in their favor; largest lead first.
   * Empty if the winner is the same for all weights within these bounds.
   */
  overtakers: { id: string; points: number }[]
}

/** Uses predicted scores without their errors. Null if there is nothing to rank. */
export function testWeights(prepared: PreparedRanking, weights: Weights, by = 0.2): Sensitivity | null {
  const parts = weigh(prepared, weights)
  const first = prepared.candidates[0]
  if (!first || parts.length === 0) return null
  const winner = bestOf(prepared, parts)
  const nameOf = (index: number) => prepared.candidates[index]?.id ?? first.id
  const changes = parts.flatMap((part) =>
    [1 - by, 1 + by].map((factor) => {
      const changed = bestOf(
        prepared,
        parts.map((each) => (each === part ? { ...each, share: each.share * factor } : each)),
      )
      return { traitId: part.trait.id, factor, winnerId: nameOf(changed), changesWinner: changed !== winner }
    }),
  )
  const overtakers = prepared.candidates
    .map(({ id }, i) => ({ id, points: i === winner ? 0 : 100 * bestLead(prepared, parts, i, winner, by) }))
    .filter(({ points }) => points > smallestLead)
    .sort((a, b) => b.points - a.points || (a.id < b.id ? -1 : 1))
  return { winnerId: nameOf(winner), changes, overtakers }
}

/** In points of 100. A smaller difference is rounding, not a lead. */
const smallestLead = 1e-9

/** The lead is a sum over traits, so each weight goes up if the rival is better in it, otherwise down. */
function bestLead(prepared: PreparedRanking, parts: readonly WeighedTrait[], rival: number, winner: number, by: number): number {
  const width = prepared.traits.length
  let lead = 0
  let total = 0
  for (const { column, share } of parts) {
    const difference = (prepared.predicted[rival * width + column] as number) - (prepared.predicted[winner * width + column] as number)
    const weight = share * (difference > 0 ? 1 + by : 1 - by)
    lead += weight * difference
    total += weight
  }
  return lead / total
}

/** Scaling the weights doesn't change the winner. */
function bestOf(prepared: PreparedRanking, parts: readonly Pick<WeighedTrait, 'column' | 'share'>[]): number {
  return meanScores(prepared, parts).reduce((best, score, i, all) => (score > (all[best] as number) ? i : best), 0)
}
