import type { Point, TraitModel, TraitValue } from './mixed-model.ts'
import { factorize, solveBackward, solveForward, sumOf } from './statistics.ts'

/** How much higher than the mean of all observers an observer scores a trait, in the trait's unit. */
export type Leaning = {
  observerId: string
  mean: number
  /** Contains the true difference with a probability of 80%. */
  low: number
  high: number
  values: number
  phenotypes: number
}

/** Only the likeliest points of the grid: with hundreds of testers, each point takes a while, and the others hardly change a mean. */
const maxPoints = 16

const standardNormalAt90 = 1.2815515655446004

/**
 * Each observer's effect compared with the mean of all observers, highest first. Empty unless two observers scored several phenotypes: an
 * observer who scored only one can't be separated from it. `inUnit` converts a difference from the model's scale.
 */
export function leaningsOf(
  { design, points }: TraitModel,
  values: readonly (Pick<TraitValue, 'genotypeId'> & { observerId: string | null })[],
  inUnit = (difference: number): number => difference,
): Leaning[] {
  const { observers, observerColumns } = design
  if (observerColumns.length < 2) return []
  const heaviest = points.toSorted((a, b) => b.weight - a.weight).slice(0, maxPoints)
  const total = sumOf(heaviest.map(({ weight }) => weight))
  const solved = heaviest.map((point) => ({ share: point.weight / total, differenceOf: unshrunk(point, observerColumns) }))
  const own = Map.groupBy(values, ({ observerId }) => observerId)
  const leanings = [...observers].flatMap(([observerId, column]): Leaning[] => {
    if (observerId === null) return []
    let mean = 0
    let square = 0
    for (const { share, differenceOf } of solved) {
      const { difference, variance } = differenceOf(column)
      mean += share * difference
      square += share * (variance + difference * difference)
    }
    const reach = standardNormalAt90 * Math.sqrt(Math.max(square - mean * mean, 0))
    const scored = own.get(observerId) ?? []
    return [
      {
        ...{ observerId, mean: inUnit(mean), low: inUnit(mean - reach), high: inUnit(mean + reach) },
        ...{ values: scored.length, phenotypes: new Set(scored.map(({ genotypeId }) => genotypeId)).size },
      },
    ]
  })
  return leanings.sort((a, b) => b.mean - a.mean || (a.observerId < b.observerId ? -1 : 1))
}

/** Ten standard deviations of plants: wide enough not to matter, and narrow enough for the equations to be solvable. */
const wideVariance = 100

/**
 * Solves a point's equations again without shrinking the observers' effects. The model pulls them toward 0 by the likeliest variance, which
 * suits a ranking, but would make differences between people look too small and too certain.
 */
function unshrunk({ factor, solution, squares, degrees, observer }: Point, observerColumns: readonly number[]) {
  const size = solution.length
  const count = observerColumns.length
  const equations = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0
      for (let k = 0; k <= j; k++) sum += (factor[i * size + k] as number) * (factor[j * size + k] as number)
      equations[i * size + j] = sum
    }
  }
  const right = solution.map((_, i) => {
    let sum = 0
    for (let j = 0; j < size; j++) sum += (equations[i >= j ? i * size + j : j * size + i] as number) * (solution[j] as number)
    return sum
  })
  for (const column of observerColumns) {
    const at = column * size + column
    equations[at] = (equations[at] as number) - 1 / observer + 1 / wideVariance
  }
  factorize(equations, size)
  const effects = right.slice()
  solveForward(equations, size, effects)
  solveBackward(equations, size, effects)
  const explained = sumOf([...right].map((value, i) => value * ((effects[i] as number) - (solution[i] as number))))
  // Each observer except one costs a degree of freedom.
  const unit = Math.max(squares - explained, 0) / Math.max(degrees - count + 1, 1)
  const contrast = new Float64Array(size)
  return (column: number): { difference: number; variance: number } => {
    contrast.fill(0)
    for (const other of observerColumns) contrast[other] = -1 / count
    contrast[column] = (contrast[column] as number) + 1
    let difference = 0
    for (let i = 0; i < size; i++) difference += (contrast[i] as number) * (effects[i] as number)
    // The inverse of the equations is the covariance of the effects, in units of the variance among plants.
    solveForward(equations, size, contrast)
    let variance = 0
    for (const part of contrast) variance += part * part
    return { difference, variance: variance * unit }
  }
}
