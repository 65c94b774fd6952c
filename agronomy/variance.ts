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
export const minReplicatedGenotypes = 3
export const minSpareReplicates = 5

/** The stated heritability weighs as much as this many spare replicates, because an estimate from few pairs swings between 0 and 1. */
export const weightOfStated = 10

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
