import { meanOf, sumOf } from './statistics.ts'

/**
 * How much of a single plant's value is due to its genotype rather than its pot, the day and chance.
 *
 * One-way random-effects analysis of variance by the method of moments, for unequal numbers of plants: n0 = (N − Σn²/N)/(k − 1),
 * Vg = (MS between − MS within)/n0, Ve = MS within; h² = Vg/(Vg + Ve) of a single plant, not below 0 (S. R. Searle, G. Casella &
 * C. E. McCulloch, “Variance Components”, 1992, ch. 3; D. S. Falconer & T. F. C. Mackay, “Introduction to Quantitative Genetics”, ch. 10).
 */
export type TraitVariance = {
  /** For a single plant, as used in predictions. */
  heritability: number
  source: 'estimated' | 'stated'
  /** Standard deviation of its error, which also determines the error of the shrinkage. */
  heritabilityDeviation: number
  /** Estimated only from replicates, before combining it with the stated one; null if there are too few. */
  estimate: number | null
  /** Vg, on the scale of the values. */
  genetic: number
  /** Ve of a single plant. */
  residual: number
  /** Genotypes with a value, and those with two or more plants. */
  genotypes: number
  replicatedGenotypes: number
  /** Plants beyond the first of each genotype, which the estimate is based on. */
  spareReplicates: number
}

/** The default if none is stated: between yield (lower) and chemistry or morphology (higher). */
export const usualHeritability = 0.3

/** With fewer, only the stated heritability is used. */
const minReplicatedGenotypes = 3
const minSpareReplicates = 5

/** The stated heritability weighs as much as this many spare replicates, because an estimate from few pairs swings between 0 and 1. */
const weightOfStated = 10

/**
 * Error variance of a stated heritability (a standard deviation of 0.24); it falls as replicates are added. In simulated hunts of 8 or 30
 * candidates with true heritabilities of 0.1 to 0.7, this makes 80% intervals contain the truth in 77 to 84% of cases.
 */
const statedVariance = 0.06

/** With fewer degrees of freedom, the spread itself is a guess, and is filled up with the variance of the whole scale. */
export const minDegrees = 5
/** Less is rounding error of equal values. */
const minVariance = 1e-20
/** The variance of a uniform distribution from 0 to 1. */
const varianceOfWholeScale = 1 / 12

/** `groups`: the plants' desirabilities, one list per genotype; empty lists are skipped. */
export function estimateVariance(groups: readonly (readonly number[])[], stated: number | null = null): TraitVariance {
  const measured = groups.filter((group) => group.length > 0)
  const belief = clamp(stated ?? usualHeritability, 0, 1)
  const k = measured.length
  const total = measured.reduce((sum, group) => sum + group.length, 0)
  const spareReplicates = total - k
  const replicatedGenotypes = measured.filter((group) => group.length > 1).length
  const observed = k < 2 ? { genetic: 0, phenotypic: 0 } : moments(measured, total)

  const known = Math.min(Math.max(k - 1, 0), minDegrees)
  const phenotypic = (known * observed.phenotypic + (minDegrees - known) * varianceOfWholeScale) / minDegrees

  const isEnough = replicatedGenotypes >= minReplicatedGenotypes && spareReplicates >= minSpareReplicates
  const estimate = isEnough && observed.phenotypic > minVariance ? clamp(observed.genetic / observed.phenotypic, 0, 1) : null
  const heritability =
    estimate === null ? belief : (spareReplicates * estimate + weightOfStated * belief) / (spareReplicates + weightOfStated)
  return {
    heritability,
    source: estimate === null ? 'stated' : 'estimated',
    heritabilityDeviation: Math.sqrt(statedVariance / (1 + (estimate === null ? 0 : spareReplicates) / weightOfStated)),
    estimate,
    genetic: heritability * phenotypic,
    residual: (1 - heritability) * phenotypic,
    genotypes: k,
    replicatedGenotypes,
    spareReplicates,
  }
}

function moments(groups: readonly (readonly number[])[], total: number): { genetic: number; phenotypic: number } {
  const k = groups.length
  const means = groups.map(meanOf)
  const grandMean = sumOf(groups.map((group, i) => group.length * (means[i] as number))) / total
  const between = sumOf(groups.map((group, i) => group.length * ((means[i] as number) - grandMean) ** 2))
  if (total === k) return { genetic: 0, phenotypic: between / (k - 1) }
  const within = sumOf(groups.map((group, i) => sumOf(group.map((value) => (value - (means[i] as number)) ** 2))))
  const n0 = (total - groups.reduce((sum, group) => sum + group.length ** 2, 0) / total) / (k - 1)
  const residual = within / (total - k)
  const genetic = (between / (k - 1) - residual) / n0
  if (genetic <= 0) return { genetic: 0, phenotypic: (between + within) / (total - 1) }
  return { genetic, phenotypic: genetic + residual }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}

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
