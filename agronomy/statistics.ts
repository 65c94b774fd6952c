/** An order-independent mean: floating-point sums depend on the order, but a ranking must not depend on the order of its records. */
export function meanOf(values: readonly number[]): number {
  if (values.length <= 2)
    return ((values[0] ?? Number.NaN) + (values.length === 2 ? (values[1] as number) : 0)) / Math.max(values.length, 1)
  return sumOf(values) / values.length
}

/** An order-independent sum. */
export function sumOf(values: readonly number[]): number {
  let sum = 0
  for (const value of ascending(values)) sum += value
  return sum
}

/** Linear interpolation (type 7 of Hyndman & Fan 1996, as in R and spreadsheets). NaN without values. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = ascending(values)
  if (sorted.length === 0) return Number.NaN
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] as number
  const above = sorted[Math.ceil(at)] as number
  return below + (above - below) * (at - Math.floor(at))
}

function ascending(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort()
}
