import { meanOf, sumOf } from './statistics.ts'
import type { TraitVariance } from './variance.ts'

/**
 * Predicted value of a genotype in one trait: the best linear unbiased prediction (C. R. Henderson 1975; G. K. Robinson, “That BLUP is a
 * good thing”, Statistical Science 6, 1991). The genotype's mean is shrunk toward the hunt's mean, the more so the fewer plants it has and
 * the lower the heritability. A single outstanding plant is mostly luck.
 *
 * Works on desirability rather than the trait's own scale, because the goal is the expected desirability of future plants. For a target,
 * the desirability of the mean would be wrong: two plants that miss it on either side aren't good. It also makes traits additive and
 * limits the influence of outliers.
 */
export type Prediction = {
  /** Predicted desirability. Without a record, the hunt's mean. */
  value: number
  /** From 0 without a record toward 1 with many plants. */
  reliability: number
  /** Error variance of the prediction, given the hunt's mean. Without a record, all of Vg. */
  errorVariance: number
  ownMean: number | null
  plants: number
}

export type TraitPrediction = {
  /** The hunt's mean: genotype means weighted by their precision. NaN without records. */
  mean: number
  /** Its error variance. The error moves all predictions together, each by 1 − reliability. */
  meanVariance: number
  predictions: Prediction[]
}

/** `groups`: the plants' desirabilities, one list per genotype, empty without records. */
export function predictTrait(
  groups: readonly (readonly number[])[],
  { genetic, residual }: Pick<TraitVariance, 'genetic' | 'residual'>,
): TraitPrediction {
  const own = groups.map((group) => (group.length === 0 ? null : { mean: meanOf(group), plants: group.length }))
  const measured = own.filter((each) => each !== null)
  const spread = genetic + residual
  const weights = measured.map(({ plants }) => (spread > 0 ? 1 / (genetic + residual / plants) : plants))
  const weight = sumOf(weights)
  const mean = sumOf(measured.map((each, i) => each.mean * (weights[i] as number))) / weight
  return {
    mean,
    meanVariance: spread > 0 && weight > 0 ? 1 / weight : 0,
    predictions: own.map((each) => {
      const plants = each?.plants ?? 0
      const reliability = reliabilityOf(plants, genetic, residual)
      return {
        value: each === null ? mean : mean + reliability * (each.mean - mean),
        reliability,
        errorVariance: errorVarianceOf(plants, genetic, residual),
        ownMean: each?.mean ?? null,
        plants,
      }
    }),
  }
}

/** Vg/(Vg + Ve/n). */
export function reliabilityOf(plants: number, genetic: number, residual: number): number {
  return plants === 0 || genetic === 0 ? 0 : (plants * genetic) / (plants * genetic + residual)
}

/** Derivative of the reliability n·h²/(1 + (n − 1)·h²) with respect to heritability. */
export function reliabilitySlope(plants: number, heritability: number): number {
  return plants / (1 + (plants - 1) * heritability) ** 2
}

/** (1 − reliability)·Vg. */
export function errorVarianceOf(plants: number, genetic: number, residual: number): number {
  if (genetic === 0) return 0
  return plants === 0 ? genetic : (genetic * residual) / (plants * genetic + residual)
}
