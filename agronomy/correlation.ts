/**
 * Traits are correlated: big plants are late, for example. So are their errors, which makes a score's interval wider (or narrower) than
 * independent traits would. The correlation of genotype means is used for the errors, because genetic and environmental correlations are
 * mostly similar (J. M. Cheverud, Evolution 42, 1988). With few genotypes, a single correlation is mostly chance, so each is shrunk toward
 * the mean of all, in proportion to the spread expected only from chance (J. Schäfer & K. Strimmer, Statistical Applications in Genetics
 * and Molecular Biology 4:32, 2005; O. Ledoit & M. Wolf, “Honey, I shrunk the sample covariance matrix”, 2004, for the mean as the target).
 *
 * `values[trait][genotype]` is null if missing. Returns the matrix row by row. A missing value counts as the mean, which weakens a
 * correlation but keeps the matrix positive semidefinite.
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
  const reliability = spread > 0 ? Math.max(0, 1 - noise / spread) : 0
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) {
      const value = common + reliability * ((matrix[i * size + j] as number) - common)
      matrix[i * size + j] = value
      matrix[j * size + i] = value
    }
  }
  return matrix
}

type Direction = Float64Array

/** Centered and scaled to length 1; all zeros if every value is the same. */
function toDirection(values: readonly (number | null)[]): Direction {
  const count = countOf(values)
  let mean = 0
  for (const value of values) mean += (value ?? 0) / Math.max(count, 1)
  const centered = Float64Array.from(values, (value) => (value === null ? 0 : value - mean))
  let length = 0
  for (const value of centered) length += value * value
  // Rounding errors of equal values have no direction.
  if (length < 1e-20) return centered.fill(0)
  const scale = 1 / Math.sqrt(length)
  return centered.map((value) => value * scale)
}

function countOf(values: readonly (number | null)[] | undefined): number {
  return values?.reduce<number>((count, value) => (value === null ? count : count + 1), 0) ?? 0
}
