import type { PreparedRanking, PreparedTrait } from './prepare-ranking.ts'

/** Weights by trait ID; a missing trait has a weight of 0. */
export type Weights = Readonly<Record<string, number>>

export type WeighedTrait = { trait: PreparedTrait; column: number; share: number }

/** Returns the measured traits with a weight above 0 and their shares of the total weight. Throws a RangeError for an invalid weight. */
export function weigh(prepared: PreparedRanking, weights: Weights): WeighedTrait[] {
  const bad = Object.entries(weights).find(([, weight]) => !(weight >= 0 && weight < Number.POSITIVE_INFINITY))
  if (bad) throw new RangeError(`The weight of ${bad[0]} is ${bad[1]}. Enter 0 or more; 0 leaves the trait out.`)
  const counted = prepared.traits
    .map((trait, column) => ({ trait, column, weight: weights[trait.id] ?? 0 }))
    .filter(({ trait, weight }) => weight > 0 && trait.isMeasured)
  // Dividing by the largest weight first keeps huge or tiny weights from overflowing or underflowing.
  const largest = Math.max(...counted.map(({ weight }) => weight))
  const sum = counted.reduce((total, { weight }) => total + weight / largest, 0)
  return counted.map(({ trait, column, weight }) => ({ trait, column, share: weight / largest / sum }))
}

export type Combined = {
  /** Predicted scores from 0 to 1. */
  mean: Float64Array
  /** Draws of the true scores: draws × candidates. */
  scores: Float32Array
  correction: Correction
}

/** Factors that correct each candidate's distance from the mean (`slope`) and the spread of its draws (`width`) for correlated traits. */
export type Correction = { mean: number; slope: Float64Array; width: Float64Array }

const stretch = 4096

export function combine(prepared: PreparedRanking, parts: readonly WeighedTrait[]): Combined {
  const count = prepared.candidates.length
  const correction = correctForCorrelations(prepared, parts)
  const independent = independentScores(prepared, parts)
  const mean = correct(independent, correction)
  const scores = new Float32Array(prepared.draws * count)
  addUp(scores, parts)
  for (let i = 0; i < count; i++) {
    const width = correction.width[i] as number
    const shift = (mean[i] as number) - width * (independent[i] as number)
    if (width === 1 && shift === 0) continue
    for (let k = i; k < scores.length; k += count) scores[k] = shift + width * (scores[k] as number)
  }
  return { mean, scores, correction }
}

/** Summing four traits at a time over a stretch that fits in the processor's cache takes half as long as summing trait after trait. */
function addUp(scores: Float32Array, parts: readonly WeighedTrait[]): void {
  const none = { worths: new Float32Array(scores.length), share: 0 }
  const all = parts.map(({ trait, share }) => ({ worths: trait.worths, share }))
  while (all.length % 4 > 0) all.push(none)
  for (let from = 0; from < scores.length; from += stretch) {
    const to = Math.min(from + stretch, scores.length)
    for (let p = 0; p < all.length; p += 4) {
      const [first, second, third, fourth] = all.slice(p, p + 4) as [typeof none, typeof none, typeof none, typeof none]
      const [a, b, c, d] = [first.worths, second.worths, third.worths, fourth.worths]
      const [shareA, shareB, shareC, shareD] = [first.share, second.share, third.share, fourth.share]
      for (let k = from; k < to; k++)
        scores[k] =
          (scores[k] as number) +
          (shareA * (a[k] as number) + shareB * (b[k] as number) + shareC * (c[k] as number) + shareD * (d[k] as number))
    }
  }
}

/** Predicted scores from 0 to 1, with their distances from the mean corrected by `slope`. */
export function meanScores(
  prepared: PreparedRanking,
  parts: readonly Pick<WeighedTrait, 'trait' | 'column' | 'share'>[],
  { slope }: Pick<Correction, 'slope'>,
): Float64Array {
  const mean = parts.reduce((sum, { trait, share }) => sum + share * trait.mean, 0)
  return correct(independentScores(prepared, parts), { mean, slope })
}

const correct = (scores: Float64Array, { mean, slope }: Pick<Correction, 'mean' | 'slope'>): Float64Array =>
  scores.map((score, i) => ((slope[i] as number) === 1 ? score : mean + (slope[i] as number) * (score - mean)))

const independentScores = (prepared: PreparedRanking, parts: readonly Pick<WeighedTrait, 'column' | 'share'>[]): Float64Array =>
  Float64Array.from(prepared.candidates, (_, i) => {
    let score = 0
    for (const { column, share } of parts) score += share * (prepared.predicted[i * prepared.traits.length + column] as number)
    return score
  })

/**
 * Each trait is predicted on its own, but a score of several traits has its own heritability: the traits' errors add up or cancel. From the
 * covariances G of phenotypes and P of their own means, for a score w'g predicted as b'p, the regression of the true score on the predicted
 * one is b'Gw / b'Pb, and its error variance w'Gw minus what the prediction explains (the selection index: L. N. Hazel, Genetics 28, 1943).
 * For independent traits, `slope` and `width` are 1.
 */
export function correctForCorrelations(prepared: PreparedRanking, parts: readonly WeighedTrait[]): Correction {
  const count = prepared.candidates.length
  const correction = {
    mean: parts.reduce((sum, { trait, share }) => sum + share * trait.mean, 0),
    slope: new Float64Array(count).fill(1),
    width: new Float64Array(count).fill(1),
  }
  if (parts.length < 2) return correction
  const size = parts.length
  const all = prepared.traits.length
  const { genetic, residual } = prepared.correlations
  const spread = Float64Array.from(parts, ({ trait, share }) => share * trait.spread)
  const bent = parts.reduce((sum, { trait, share }) => sum + share * share * trait.bent, 0)
  // Each trait's genetic covariances with all traits, summed. They are the same for all candidates.
  const covariance = new Float64Array(size)
  let total = 0
  for (let p = 0; p < size; p++) {
    const row = (parts[p] as WeighedTrait).column * all
    let sum = 0
    for (let q = 0; q < size; q++) sum += (genetic[row + (parts[q] as WeighedTrait).column] as number) * (spread[q] as number)
    covariance[p] = sum * (spread[p] as number)
    total += covariance[p] as number
  }
  const run = new Float64Array(size)
  const rest = new Float64Array(size)
  for (let i = 0; i < count; i++) {
    let explained = 0
    let predicted = 0
    let independent = 0
    for (const [p, { trait, column }] of parts.entries()) {
      const cell = i * all + column
      const reliability = prepared.reliability[cell] as number
      const own = (spread[p] as number) * reliability
      // Converts an error of the phenotype's mean from standard deviations of single plants to the scale of the predicted score.
      const scale = reliability > 0 ? own / Math.sqrt(trait.heritability) : 0
      const runShare = prepared.runShare[cell] as number
      run[p] = scale * Math.sqrt(runShare)
      rest[p] = reliability > 0 ? scale * Math.sqrt((prepared.errorShare[cell] as number) - runShare) : 0
      explained += reliability * (covariance[p] as number)
      independent += (1 - reliability) * (spread[p] as number) ** 2
      predicted += own * own + (run[p] as number) ** 2 + (rest[p] as number) ** 2
      const row = column * all
      for (let q = 0; q < p; q++) {
        const other = parts[q] as WeighedTrait
        const ownOther = (spread[q] as number) * (prepared.reliability[i * all + other.column] as number)
        const genes = genetic[row + other.column] as number
        predicted +=
          2 *
          (genes * (own * ownOther + (run[p] as number) * (run[q] as number)) +
            (residual[row + other.column] as number) * (rest[p] as number) * (rest[q] as number))
      }
    }
    if (!(predicted > 0 && independent > 0)) continue
    const linear = explained / predicted
    correction.slope[i] = Math.min(Math.max((explained + bent) / (predicted + bent), 0.05), 2)
    correction.width[i] = Math.sqrt(Math.min(Math.max((total - linear * explained) / independent, 0.05), 4))
  }
  return correction
}
