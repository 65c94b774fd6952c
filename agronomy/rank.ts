import {
  type Combined,
  type Correction,
  combine,
  correctForCorrelations,
  meanScores,
  type WeighedTrait,
  type Weights,
  weigh,
} from './combine-scores.ts'
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
  /** On a scale of 100 points. All contributions add up to the score. */
  points: number
}

export type Standing = {
  id: string
  /** 1 is the best; equal scores share a rank. */
  rank: number
  /** From 0 to 100: the weighted mean of the predicted desirabilities. */
  score: number
  /** These contain the true score with probabilities of 80% and 95%. */
  interval80: [number, number]
  interval95: [number, number]
  /** Probabilities of truly being the best, and of being in the top three. */
  pBest: number
  pTop3: number
  /** Probability of being better than the leader; null for the leader. */
  pBeatsLeader: number | null
  contributions: Contribution[]
  /** Weighted traits for which the candidate has no record. */
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
  /** `withinReach`: the smallest set that, with the leader, contains the true best with a probability of at least `reachProbability`. */
  verdict: Verdict
  /** Weighted traits without any record; they don't count toward the score. */
  unmeasuredTraits: string[]
  /** Weighted traits with runs that no phenotype or check clone connects with the others. */
  notComparable: { traitId: string; runIds: (string | null)[] }[]
}

/** Called P* in selection procedures (R. E. Bechhofer 1954). Below it, the ranking is too close to call. */
export const clearFrom = 0.8
export const reachProbability = 0.9

/** Deterministic given the prepared draws: identical on every engine, and invariant to scaling all weights. */
export function rankKeepers(prepared: PreparedRanking, weights: Weights): Ranking {
  const parts = weigh(prepared, weights)
  const weighted = prepared.traits.filter(({ id }) => (weights[id] ?? 0) > 0)
  const ranking: Ranking = {
    standings: [],
    verdict: { kind: 'no-weights' },
    unmeasuredTraits: weighted.filter(({ isMeasured }) => !isMeasured).map(({ id }) => id),
    notComparable: weighted
      .filter(({ notComparable }) => notComparable.length > 0)
      .map(({ id, notComparable }) => ({ traitId: id, runIds: notComparable })),
  }
  if (prepared.candidates.length === 0) return { ...ranking, verdict: { kind: 'no-candidates' } }
  if (weighted.length === 0) return ranking
  if (parts.length === 0) return { ...ranking, verdict: { kind: 'no-records' } }

  const combined = combine(prepared, parts)
  const { mean } = combined
  const leader = mean.reduce((best, value, i) => (value > (mean[best] as number) ? i : best), 0)
  const chances = drawStandings(prepared, combined, leader)
  const quantiles = quantilesOf(prepared, combined, [0.025, 0.1, 0.9, 0.975])
  const order = prepared.candidates
    .map((_, i) => i)
    .sort((a, b) => (mean[b] as number) - (mean[a] as number) || Number(b === leader) - Number(a === leader) || a - b)
  const rankOf = (place: number): number =>
    place > 0 && mean[order[place] as number] === mean[order[place - 1] as number] ? rankOf(place - 1) : place + 1
  ranking.standings = order.map((i, place) => {
    const { id, plants, records } = prepared.candidates[i] as (typeof prepared.candidates)[number]
    const contributions = parts.map((part) => contributionOf(prepared, i, part, combined))
    const score = 100 * (mean[i] as number)
    return {
      id,
      rank: rankOf(place),
      score,
      interval80: [quantiles[4 * i + 1] as number, quantiles[4 * i + 2] as number],
      interval95: [quantiles[4 * i] as number, quantiles[4 * i + 3] as number],
      pBest: chances.best[i] as number,
      pTop3: chances.top3[i] as number,
      pBeatsLeader: i === leader ? null : (chances.beatsLeader[i] as number),
      contributions,
      missingTraits: contributions.filter((each) => each.plants === 0).map((each) => each.traitId),
      plants,
      records,
    }
  })
  return { ...ranking, verdict: decideVerdict(ranking.standings) }
}

function contributionOf(
  prepared: PreparedRanking,
  candidate: number,
  { trait, column, share }: WeighedTrait,
  { correction }: Combined,
): Contribution {
  const cell = candidate * prepared.traits.length + column
  const predicted = trait.mean + (correction.slope[candidate] as number) * ((prepared.predicted[cell] as number) - trait.mean)
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

const bins = 1024

/** At this many candidates, their own mean is known well enough to compare each one with it. */
const minToCenter = 4

/**
 * The candidates' mean in each draw, minus their predicted mean. An effect that moves all candidates equally can't be measured and doesn't
 * change the choice.
 */
function commonErrors({ draws, candidates }: PreparedRanking, { scores, mean }: Combined): Float64Array {
  const count = candidates.length
  const common = new Float64Array(draws)
  if (count < minToCenter) return common
  const center = mean.reduce((sum, value) => sum + value, 0) / count
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0
    for (let i = 0; i < count; i++) sum += scores[draw * count + i] as number
    common[draw] = sum / count - center
  }
  return common
}

/** Quantiles of each candidate's draws in points, candidate by candidate, from bins between the lowest and the highest draw. */
function quantilesOf(prepared: PreparedRanking, combined: Combined, shares: readonly number[]): Float64Array {
  const { draws } = prepared
  const { scores } = combined
  const count = prepared.candidates.length
  const common = commonErrors(prepared, combined)
  const own = new Float64Array(draws)
  const quantiles = new Float64Array(count * shares.length)
  const counts = new Uint32Array(bins)
  for (let i = 0; i < count; i++) {
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (let draw = 0; draw < draws; draw++) {
      const score = (scores[draw * count + i] as number) - (common[draw] as number)
      own[draw] = score
      if (score < low) low = score
      if (score > high) high = score
    }
    counts.fill(0)
    const scale = high > low ? (bins - 1e-6) / (high - low) : 0
    for (const score of own) {
      const bin = ((score - low) * scale) | 0
      counts[bin] = (counts[bin] as number) + 1
    }
    let bin = 0
    let below = 0
    for (const [s, share] of shares.entries()) {
      while (bin < bins - 1 && below + (counts[bin] as number) < share * draws) below += counts[bin++] as number
      const within = (share * draws - below) / Math.max(counts[bin] as number, 1)
      const value = scale === 0 ? low : low + (bin + within) / scale
      quantiles[i * shares.length + s] = 100 * Math.min(Math.max(value, 0), 1)
    }
  }
  return quantiles
}

function decideVerdict(standings: readonly Standing[]): Verdict {
  const leader = standings[0] as Standing
  const withinReach: string[] = []
  let confidence = leader.pBest
  for (const rival of standings.slice(1).sort((a, b) => b.pBest - a.pBest || a.rank - b.rank)) {
    if (confidence >= reachProbability) break
    withinReach.push(rival.id)
    confidence += rival.pBest
  }
  return { kind: leader.pBest >= clearFrom ? 'clear' : 'too-close', leaderId: leader.id, withinReach }
}

export type StandingProbabilities = { best: Float64Array; top3: Float64Array; beatsLeader: Float64Array }

/** How often each candidate is best, in the top three, and ahead of the leader across the draws. Ties are counted in equal parts. */
function drawStandings(prepared: PreparedRanking, { scores: all }: Combined, leader: number): StandingProbabilities {
  const { draws } = prepared
  const count = prepared.candidates.length
  const best = new Float64Array(count)
  const top3 = new Float64Array(count)
  const beatsLeader = new Float64Array(count)
  for (let draw = 0; draw < draws; draw++) {
    const scores = all.subarray(draw * count, (draw + 1) * count)
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

function shareTies(scores: Float32Array, first: number, third: number, best: Float64Array, top3: Float64Array): void {
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

type WeightChange = { traitId: string; factor: number; winnerId: string; changesWinner: boolean }

type Sensitivity = {
  winnerId: string
  /** The winner after changing one trait's weight at a time, down and up. */
  changes: WeightChange[]
  /**
   * Candidates that would beat the winner if all weights changed in their favor, each within the same bounds; largest lead first.
   * Empty if the winner is the same for all weights within these bounds.
   */
  overtakers: { id: string; points: number }[]
}

/** Uses predicted scores without their errors. Returns null if nothing can be ranked. */
export function testWeights(prepared: PreparedRanking, weights: Weights, by = 0.2): Sensitivity | null {
  const parts = weigh(prepared, weights)
  const first = prepared.candidates[0]
  if (!first || parts.length === 0) return null
  const correction = correctForCorrelations(prepared, parts)
  const winner = bestOf(prepared, parts, correction)
  const nameOf = (index: number) => prepared.candidates[index]?.id ?? first.id
  const changes = parts.flatMap((part) =>
    [1 - by, 1 + by].map((factor) => {
      const changed = bestOf(
        prepared,
        parts.map((each) => (each === part ? { ...each, share: each.share * factor } : each)),
        correction,
      )
      return { traitId: part.trait.id, factor, winnerId: nameOf(changed), changesWinner: changed !== winner }
    }),
  )
  const overtakers = prepared.candidates
    .map(({ id }, i) => ({ id, points: i === winner ? 0 : 100 * bestLead(prepared, parts, correction, i, winner, by) }))
    .filter(({ points }) => points > smallestLead)
    .sort((a, b) => b.points - a.points || (a.id < b.id ? -1 : 1))
  return { winnerId: nameOf(winner), changes, overtakers }
}

/** On a scale of 100 points. A smaller difference is rounding, not a lead. */
const smallestLead = 1e-9

/** The lead is a sum over traits, so a trait's weight goes up if the rival is better in it, and down if not. */
function bestLead(
  prepared: PreparedRanking,
  parts: readonly WeighedTrait[],
  { slope }: Correction,
  rival: number,
  winner: number,
  by: number,
): number {
  const width = prepared.traits.length
  const worthOf = (candidate: number, { trait, column }: WeighedTrait) =>
    (slope[candidate] as number) * ((prepared.predicted[candidate * width + column] as number) - trait.mean)
  let lead = 0
  let total = 0
  for (const part of parts) {
    const difference = worthOf(rival, part) - worthOf(winner, part)
    const weight = part.share * (difference > 0 ? 1 + by : 1 - by)
    lead += weight * difference
    total += weight
  }
  return lead / total
}

/** The shares needn't add up to 1, because scaling them doesn't change the winner. */
function bestOf(prepared: PreparedRanking, parts: readonly WeighedTrait[], correction: Correction): number {
  return meanScores(prepared, parts, correction).reduce((best, score, i, all) => (score > (all[best] as number) ? i : best), 0)
}
