import { meanOf, sumOf } from './statistics.ts'
import type { TraitVariance } from './variance.ts'

/**
 * What a genotype's plants will be worth in one trait: the best linear unbiased prediction (C. R. Henderson 1975; G. K. Robinson, “That
 * BLUP is a good thing”, Statistical Science 6, 1991): the genotype's own mean, pulled towards the hunt's the more, the fewer plants there
 * are and the less the trait is inherited. A single lucky plant is mostly luck.
 *
 * On the scale of desirability, not of the trait: what is asked is the worth of the plants to come, and the mean of the worth of plants
 * is just that, for a target too, where the worth of the mean is not (two plants that miss the target on either side are not good).
 * It also lets traits add up, and limits what one odd record can do.
 */
export type Prediction = {
  /** The predicted desirability. Without a record: the hunt's mean. */
  value: number
  /** 0 without a record, towards 1 with many plants. */
  reliability: number
  /** Variance of the error of the prediction, the hunt's mean taken as known. Without a record: Vg in full. */
  errorVariance: number
  /** Null without a record. */
  ownMean: number | null
  plants: number
}

export type TraitPrediction = {
  /** The mean of the hunt: each genotype's own mean, weighed by how well it is known. NaN when nothing was recorded. */
  mean: number
  /** The variance of its error; it moves all predictions together, each by 1 − reliability. */
  meanVariance: number
  predictions: Prediction[]
}

/** `groups`: the plants' desirabilities, one list a genotype, empty where there is no record. */
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

/** How much the reliability rises with the heritability: the derivative of n·h²/(1 + (n − 1)·h²). */
export function reliabilitySlope(plants: number, heritability: number): number {
  return plants / (1 + (plants - 1) * heritability) ** 2
}

/** (1 − reliability)·Vg. */
export function errorVarianceOf(plants: number, genetic: number, residual: number): number {
  if (genetic === 0) return 0
  return plants === 0 ? genetic : (genetic * residual) / (plants * genetic + residual)
}
