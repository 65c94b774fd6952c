/**
 * The desirability of a measured value, from 0 to 1: G. Derringer & R. Suich, “Simultaneous optimization of several response variables”,
 * Journal of Quality Technology 12 (1980). Between the bounds it is a straight line or a power of it: an exponent above 1 favors values
 * close to the best, and one below 1 is more lenient.
 */
export type DesirabilityCurve =
  | { direction: 'max' | 'min'; low: number; high: number; exponent?: number }
  | { direction: 'target'; low: number; target: number; high: number; exponent?: number }

/** Null for non-finite input, which counts as missing rather than as zero. */
export type Desirability = (value: number) => number | null

/** What is wrong with a curve and how to fix it, or null. */
export function curveProblem(curve: DesirabilityCurve): string | null {
  const { low, high, exponent = 1 } = curve
  if (!Number.isFinite(low) || !Number.isFinite(high)) return 'Enter a number for both bounds.'
  if (low > high) return `The lower bound (${low}) is above the upper one (${high}). Swap them; “min” prefers small values.`
  if (!(exponent > 0) || !Number.isFinite(exponent)) return 'The exponent must be above 0; 1 is a straight line.'
  if (curve.direction !== 'target') return null
  if (!Number.isFinite(curve.target)) return 'Enter a number for the target.'
  if (curve.target < low || curve.target > high)
    return `The target (${curve.target}) must be between the bounds (${low} and ${high}). Move it or widen them.`
  return null
}

/**
 * Equal bounds make a curve a step: 1 from the bound up (max), up to the bound (min), or only at the target. Throws a RangeError for an
 * invalid curve.
 */
export function desirabilityOf(curve: DesirabilityCurve): Desirability {
  const problem = curveProblem(curve)
  if (problem) throw new RangeError(problem)
  const { low, high, exponent = 1 } = curve
  // Straight lines avoid powers, which differ in the last bit between engines.
  const bend = (share: number) => (exponent === 1 ? share : share ** exponent)
  const rising = (value: number, from: number, to: number) => (value >= to ? 1 : value <= from ? 0 : bend((value - from) / (to - from)))
  const falling = (value: number, from: number, to: number) => (value <= from ? 1 : value >= to ? 0 : bend((to - value) / (to - from)))
  const worthOf = (value: number) => {
    if (curve.direction === 'target') return value <= curve.target ? rising(value, low, curve.target) : falling(value, curve.target, high)
    return curve.direction === 'max' ? rising(value, low, high) : falling(value, low, high)
  }
  return (value) => (Number.isFinite(value) ? worthOf(value) : null)
}

/** Default bounds: the hunt's lowest and highest value. Null without numbers. */
export function boundsOf(values: readonly number[]): { low: number; high: number } | null {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  return low <= high ? { low, high } : null
}

export type Point = { id: string; x: number; y: number }
type Goal = 'max' | 'min'

/**
 * Returns the points that no other point dominates by being as good in both dimensions and better in one. Equal points are either all
 * included or all left out. Sorted by x, best first; non-finite points are left out.
 */
export function paretoFront<Each extends Point>(points: readonly Each[], goals: { x: Goal; y: Goal }): Each[] {
  const signX = goals.x === 'max' ? 1 : -1
  const signY = goals.y === 'max' ? 1 : -1
  const sorted = points
    .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))
    .sort((a, b) => signX * (b.x - a.x) || signY * (b.y - a.y) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  let last: Each | undefined
  return sorted.filter((point) => {
    const isInFront = !last || signY * (point.y - last.y) > 0 || (point.x === last.x && point.y === last.y)
    if (isInFront) last = point
    return isInFront
  })
}
