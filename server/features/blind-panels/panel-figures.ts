/** What testers of a panel say together. */

export const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

const squaresOf = (values: readonly number[]): number => {
  const mean = meanOf(values) ?? 0
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
}

/** The sample standard deviation (n − 1); null below two values. */
export const deviationOf = (values: readonly number[]): number | null =>
  values.length < 2 ? null : Math.sqrt(squaresOf(values) / (values.length - 1))

/** The standard deviation within jars, pooled over them by their degrees of freedom; null where no jar has two values. */
export function pooledDeviation(jars: readonly (readonly number[])[]): number | null {
  const freedom = jars.reduce((sum, values) => sum + Math.max(0, values.length - 1), 0)
  return freedom === 0 ? null : Math.sqrt(jars.reduce((sum, values) => sum + squaresOf(values), 0) / freedom)
}

/**
 * Over all pairs of testers of a jar, the mean share of what either named that both named (P. Jaccard, 1912). Two who name nothing agree.
 * Null where no jar has two answers.
 */
export function pairAgreement(jars: readonly (readonly (readonly number[])[])[]): number | null {
  let pairs = 0
  let sum = 0
  for (const answers of jars) {
    for (const [i, one] of answers.entries()) {
      for (const other of answers.slice(i + 1)) {
        const either = new Set([...one, ...other])
        pairs++
        sum += either.size === 0 ? 1 : [...either].filter((value) => one.includes(value) && other.includes(value)).length / either.size
      }
    }
  }
  return pairs === 0 ? null : sum / pairs
}
