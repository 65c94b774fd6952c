import { exponential, naturalLog } from './statistics.ts'

export type PlantTable = {
  /** The phenotype of each plant. */
  genotypes: readonly number[]
  /** Values by trait and plant, without the effects of runs and observers; NaN if missing. */
  values: readonly Float64Array[]
  /** Variances of phenotypes (within a run) and of plants within phenotypes, in the unit of the values. */
  genetic: readonly number[]
  residual: readonly number[]
}

/**
 * How traits correlate through genes (`genetic`) and through a plant's environment (`residual`). A pot that is good for two traits says
 * little about phenotypes in which one trait comes at the expense of the other, so their combined score is less certain than either trait.
 *
 * Each pair is estimated from the likelihood of its mean products between phenotypes and between plants of one phenotype (both Wishart), on
 * a grid of both correlations. The prior favors correlations near 0 and, as is usually observed, genetic correlations that resemble the
 * environmental ones (J. M. Cheverud, Evolution 42, 1988); without replicates, the prior decides.
 */
export type Correlations = { genetic: Float64Array; residual: Float64Array }

const steps = [-0.9, -0.7, -0.5, -0.3, -0.1, 0.1, 0.3, 0.5, 0.7, 0.9]
/** The prior's standard deviation of the difference between the two correlations. */
const usualDifference = 1.2

/** The logarithm of the prior, by genetic and residual step. */
const prior = steps.map((genetic) =>
  steps.map(
    (residual) =>
      naturalLog(1 - genetic * genetic) + naturalLog(1 - residual * residual) - ((genetic - residual) / usualDifference) ** 2 / 2,
  ),
)

/** The matrices are stored row by row. */
export function correlateTraits(table: PlantTable): Correlations {
  const size = table.values.length
  const genetic = new Float64Array(size * size)
  const residual = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    genetic[i * size + i] = 1
    residual[i * size + i] = 1
    for (let j = 0; j < i; j++) {
      const pair = correlatePair(table, i, j)
      genetic[i * size + j] = pair.genetic
      genetic[j * size + i] = pair.genetic
      residual[i * size + j] = pair.residual
      residual[j * size + i] = pair.residual
    }
  }
  return { genetic, residual }
}

/** Sums of squares and products of two traits, and their degrees of freedom. */
type Products = { first: number; second: number; both: number; degrees: number }

function correlatePair(table: PlantTable, i: number, j: number): { genetic: number; residual: number } {
  const { between, within, plantsEach } = productsOf(table, i, j)
  if (between.degrees < 3) return { genetic: 0, residual: 0 }
  const root = (list: readonly number[], at: number) => Math.sqrt(Math.max(list[at] as number, 1e-12))
  const genes = { first: root(table.genetic, i), second: root(table.genetic, j) }
  const rest = { first: root(table.residual, i), second: root(table.residual, j) }
  const ofWithin = steps.map((residual) => logLikelihood(within, rest.first ** 2, rest.second ** 2, residual * rest.first * rest.second))
  const total = { weight: 0, genetic: 0, residual: 0 }
  const logs: number[] = []
  for (const [g, genetic] of steps.entries()) {
    for (const [r, residual] of steps.entries()) {
      const log = logLikelihood(
        between,
        rest.first ** 2 + plantsEach * genes.first ** 2,
        rest.second ** 2 + plantsEach * genes.second ** 2,
        residual * rest.first * rest.second + plantsEach * genetic * genes.first * genes.second,
      )
      logs.push(log + (ofWithin[r] as number) + ((prior[g] as number[])[r] as number))
    }
  }
  const top = Math.max(...logs)
  for (const [at, log] of logs.entries()) {
    if (log < top - 12) continue
    const weight = exponential(log - top)
    total.weight += weight
    total.genetic += weight * (steps[Math.floor(at / steps.length)] as number)
    total.residual += weight * (steps[at % steps.length] as number)
  }
  return { genetic: total.genetic / total.weight, residual: total.residual / total.weight }
}

/** Uses only plants with a value of both traits. */
function productsOf({ genotypes, values }: PlantTable, i: number, j: number) {
  const a = values[i] as Float64Array
  const b = values[j] as Float64Array
  const groups = new Map<number, { count: number; a: number; b: number }>()
  let count = 0
  let sumA = 0
  let sumB = 0
  for (const [p, genotype] of genotypes.entries()) {
    const [x, y] = [a[p] as number, b[p] as number]
    if (Number.isNaN(x + y)) continue
    const group = groups.get(genotype) ?? { count: 0, a: 0, b: 0 }
    groups.set(genotype, group)
    group.count++
    group.a += x
    group.b += y
    count++
    sumA += x
    sumB += y
  }
  const within: Products = { first: 0, second: 0, both: 0, degrees: count - groups.size }
  for (const [p, genotype] of genotypes.entries()) {
    const group = groups.get(genotype)
    const [x, y] = [a[p] as number, b[p] as number]
    if (!group || Number.isNaN(x + y)) continue
    add(within, x - group.a / group.count, y - group.b / group.count, 1)
  }
  const between: Products = { first: 0, second: 0, both: 0, degrees: groups.size - 1 }
  let squares = 0
  for (const group of groups.values()) {
    add(between, group.a / group.count - sumA / count, group.b / group.count - sumB / count, group.count)
    squares += group.count * group.count
  }
  return { between, within, plantsEach: groups.size > 1 ? (count - squares / count) / (groups.size - 1) : 1 }
}

function add(products: Products, x: number, y: number, weight: number): void {
  products.first += weight * x * x
  products.second += weight * y * y
  products.both += weight * x * y
}

/** The log likelihood of a Wishart matrix with these mean squares and mean product, up to a constant. */
function logLikelihood({ first, second, both, degrees }: Products, a: number, b: number, c: number): number {
  if (degrees <= 0) return 0
  const determinant = a * b - c * c
  return -(degrees * naturalLog(determinant) + (first * b + second * a - 2 * both * c) / determinant) / 2
}
