import type { PreparedRanking, PreparedTrait } from './prepare-ranking.ts'

/** Weights by trait ID; missing traits weigh 0. */
export type Weights = Readonly<Record<string, number>>

export type WeighedTrait = { trait: PreparedTrait; column: number; share: number }

/** The traits with a weight, and their shares of the total. Throws a RangeError for a negative or non-numeric weight. */
export function weigh(prepared: PreparedRanking, weights: Weights): WeighedTrait[] {
  const bad = Object.entries(weights).find(([, weight]) => !(weight >= 0 && weight < Number.POSITIVE_INFINITY))
  if (bad) throw new RangeError(`The weight of ${bad[0]} is ${bad[1]}. Enter 0 or more; 0 leaves the trait out.`)
  const counted = prepared.traits
    .map((trait, column) => ({ trait, column, weight: weights[trait.id] ?? 0 }))
    .filter(({ trait, weight }) => weight > 0 && trait.isMeasured)
  // Divide by the largest first, so that huge or tiny weights don't overflow or underflow.
  const largest = Math.max(...counted.map(({ weight }) => weight))
  const sum = counted.reduce((total, { weight }) => total + weight / largest, 0)
  return counted.map(({ trait, column, weight }) => ({ trait, column, share: weight / largest / sum }))
}

export type Combined = {
  /** Predicted scores from 0 to 1, and the standard deviations of the candidates' independent errors. */
  mean: Float64Array
  own: Float64Array
  /** Loadings of the errors that candidates share: candidates × shared errors. */
  shared: Float64Array
  total: Float64Array
}

export function combine(prepared: PreparedRanking, parts: readonly WeighedTrait[]): Combined {
  const count = prepared.candidates.length
  const factors = prepared.sharedLoadings.length
  const answer = {
    mean: meanScores(prepared, parts),
    own: new Float64Array(count),
    shared: new Float64Array(count * factors),
    total: new Float64Array(count),
  }
  const errors = new Float64Array(parts.length)
  const evenness = Math.sqrt(parts.reduce((sum, { share }) => sum + share * share, 0))
  for (let i = 0; i < count; i++) {
    const row = i * prepared.traits.length
    for (const [p, { column, share }] of parts.entries()) errors[p] = share * (prepared.deviation[row + column] as number)
    let own = errorVariance(prepared, parts, errors)
    let total = own
    for (let f = 0; f < factors; f++) {
      const { loading, variance } = combineShared(prepared.sharedLoadings[f] as Float64Array, row, parts, evenness)
      answer.shared[i * factors + f] = loading
      own += Math.max(variance - loading * loading, 0)
      total += variance
    }
    answer.own[i] = Math.sqrt(own)
    answer.total[i] = Math.sqrt(total)
  }
  return answer
}

/** Weighted means of the predicted desirabilities, from 0 to 1. */
export function meanScores(prepared: PreparedRanking, parts: readonly Pick<WeighedTrait, 'column' | 'share'>[]): Float64Array {
  return Float64Array.from(prepared.candidates, (_, i) => {
    let score = 0
    for (const { column, share } of parts) score += share * (prepared.predicted[i * prepared.traits.length + column] as number)
    return score
  })
}

/** Variance of a weighted sum of errors with these deviations, correlated as the traits are. */
export function errorVariance(prepared: PreparedRanking, parts: readonly WeighedTrait[], errors: Float64Array): number {
  let variance = 0
  for (let p = 0; p < parts.length; p++) {
    const row = (parts[p] as WeighedTrait).column * prepared.traits.length
    let others = 0
    for (let q = 0; q < p; q++) others += (prepared.correlation[row + (parts[q] as WeighedTrait).column] as number) * (errors[q] as number)
    variance += (errors[p] as number) * ((errors[p] as number) + 2 * others)
  }
  return Math.max(variance, 0)
}

/**
 * Combines a candidate's shared error over all traits. Trait errors are independent, so their squares add up. If all traits are affected
 * alike, the whole error is shared with other candidates; if in opposite ways, it is the candidate's own. Both change continuously, so that
 * a slider never causes jumps.
 */
function combineShared(
  loadings: Float64Array,
  row: number,
  parts: readonly WeighedTrait[],
  evenness: number,
): { loading: number; variance: number } {
  let sum = 0
  let variance = 0
  for (const { column, share } of parts) {
    const loading = share * (loadings[row + column] as number)
    sum += loading
    variance += loading * loading
  }
  const maxLoading = Math.sqrt(variance)
  return { loading: Math.min(Math.max(sum * evenness, -maxLoading), maxLoading), variance }
}
