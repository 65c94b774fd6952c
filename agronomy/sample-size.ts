export type SeedKind = 'feminized' | 'regular'

/**
 * The number of seeds needed to find at least one plant of the desired type: ceil(ln(1 − confidence)/ln(1 − share)), doubled for regular
 * seeds, half of which are male. Throws a RangeError for a share or confidence out of range.
 */
export function seedsFor(share: number, confidence = 0.95, kind: SeedKind = 'feminized'): number {
  if (!(share > 0 && share <= 1)) throw new RangeError('The share of wanted seeds must be above 0 and at most 1.')
  if (!(confidence > 0 && confidence < 1)) throw new RangeError('The wanted chance must be above 0 and below 1.')
  const exact = share === 1 ? 1 : Math.log1p(-confidence) / Math.log1p(-share)
  // Rounding may make an integer slightly too large.
  const females = Math.max(1, Math.ceil(exact - 1e-9 * exact))
  return kind === 'regular' ? 2 * females : females
}

/** The probability of at least one plant of the desired type among this many seeds. Regular seeds count as half, because half are male. */
export function chanceWith(seeds: number, share: number, kind: SeedKind = 'feminized'): number {
  if (!(share >= 0 && share <= 1)) throw new RangeError('The share of wanted seeds must be between 0 and 1.')
  if (!(seeds >= 0)) throw new RangeError('The number of seeds must be 0 or more.')
  const each = kind === 'regular' ? share / 2 : share
  return seeds === 0 ? 0 : -Math.expm1(seeds * Math.log1p(-each))
}
