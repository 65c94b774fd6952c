import { meanScores, type WeighedTrait, type Weights, weigh } from './combine-scores.ts'
import type { PreparedRanking } from './prepare-ranking.ts'

/** The winner after changing the weight of one trait. */
export type WeightChange = { traitId: string; factor: number; winnerId: string; changesWinner: boolean }

export type Sensitivity = {
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
