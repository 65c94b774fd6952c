/**
 * Traits go together: big plants are late. Then their errors do too, and a score's interval is wider (or narrower) than traits by
 * themselves would make it. The correlation of genotypes' means is taken for that of the errors (what is inherited and what is not
 * mostly go the same way: J. M. Cheverud, Evolution 42, 1988). From few genotypes a single one is mostly chance, so each is pulled towards
 * the mean of all of them, by as much as chance alone spreads them (J. Schäfer & K. Strimmer, Statistical Applications in Genetics and
 * Molecular Biology 4:32, 2005; O. Ledoit & M. Wolf, “Honey, I shrunk the sample covariance matrix”, 2004, for the mean as the goal).
 *
 * `values[trait][genotype]`, null where missing. Answers the matrix row by row. A missing value counts as the mean, which weakens
 * a correlation but keeps the matrix one of correlations (never a negative variance).
 */
export function correlate(values: readonly (readonly (number | null)[])[]): Float64Array {
  const size = values.length
  const directions = values.map(toDirection)
  const matrix = new Float64Array(size * size)
  let sum = 0
  let squares = 0
  let noise = 0
  for (let i = 0; i < size; i++) {
    matrix[i * size + i] = 1
    const a = directions[i] as Direction
    for (let j = 0; j < i; j++) {
      const b = directions[j] as Direction
      let product = 0
      for (let g = 0; g < a.length; g++) product += (a[g] as number) * (b[g] as number)
      matrix[i * size + j] = product
      sum += product
      squares += product * product
      noise += (1 - product * product) ** 2 / Math.max(1, Math.min(countOf(values[i]), countOf(values[j])) - 1)
    }
  }
  const pairs = (size * (size - 1)) / 2
  const common = pairs > 0 ? sum / pairs : 0
  const spread = squares - pairs * common * common
  const kept = spread > 0 ? Math.max(0, 1 - noise / spread) : 0
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) {
      const value = common + kept * ((matrix[i * size + j] as number) - common)
      matrix[i * size + j] = value
      matrix[j * size + i] = value
    }
  }
  return matrix
}

type Direction = Float64Array

/** Centered and of length 1; all zero where every value is the same. */
function toDirection(values: readonly (number | null)[]): Direction {
  const count = countOf(values)
  let mean = 0
  for (const value of values) mean += (value ?? 0) / Math.max(count, 1)
  const centered = Float64Array.from(values, (value) => (value === null ? 0 : value - mean))
  let length = 0
  for (const value of centered) length += value * value
  // What rounding leaves of equal values is not a direction.
  if (length < 1e-20) return centered.fill(0)
  const scale = 1 / Math.sqrt(length)
  return centered.map((value) => value * scale)
}

function countOf(values: readonly (number | null)[] | undefined): number {
  return values?.reduce<number>((count, value) => (value === null ? count : count + 1), 0) ?? 0
}
