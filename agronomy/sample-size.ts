/**
 * How many seeds for a fair chance of at least one of the kind sought: 1 − (1 − p)ⁿ ≥ confidence. Regular seeds are male every other
 * time, so twice as many are popped.
 */
export type SeedKind = 'feminized' | 'regular'

/** ceil(ln(1 − confidence)/ln(1 − share)), doubled for regular seeds. Throws a RangeError outside of 0 to 1. */
export function seedsFor(share: number, confidence = 0.95, kind: SeedKind = 'feminized'): number {
  if (!(share > 0 && share <= 1)) throw new RangeError('The share of seeds of the kind sought must be above 0 and at most 1.')
  if (!(confidence > 0 && confidence < 1)) throw new RangeError('The chance asked for must be above 0 and below 1.')
  const exact = share === 1 ? 1 : Math.log1p(-confidence) / Math.log1p(-share)
  // Where the exact figure is a whole one, rounding may leave it a hair above.
  const females = Math.max(1, Math.ceil(exact - 1e-9 * exact))
  return kind === 'regular' ? 2 * females : females
}

/** The chance of at least one among so many seeds. A regular seed is of the kind sought, and female, half as often. */
export function chanceWith(seeds: number, share: number, kind: SeedKind = 'feminized'): number {
  if (!(share >= 0 && share <= 1)) throw new RangeError('The share of seeds of the kind sought must lie between 0 and 1.')
  if (!(seeds >= 0)) throw new RangeError('The number of seeds must be 0 or more.')
  const each = kind === 'regular' ? share / 2 : share
  return seeds === 0 ? 0 : -Math.expm1(seeds * Math.log1p(-each))
}
