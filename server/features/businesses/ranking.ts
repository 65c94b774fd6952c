/**
 * "Highest Rated" is a Bayesian average: every business starts with ten virtual ratings of 3.5 stars, which real ratings gradually
 * outweigh. Without them, one friend's five stars would beat a hundred visitors' 4.8. The prior is slightly above the middle of the
 * scale because people mostly rate what they like. All businesses without ratings tie at 3.5. Ties are broken by license, then by
 * distance. Plans, badges and payments have no effect.
 *
 * The generated columns `businesses.rating_score` and `businesses.license_trust` use the same formulas; tests compare them.
 */
export const priorRating = 3.5
export const priorWeight = 10

export const ratingScore = (ratingSum: number, totalRatings: number): number =>
  (ratingSum + priorRating * priorWeight) / (totalRatings + priorWeight)

type Licensed = { isDemo: boolean; isVerified: boolean; isListed: boolean }

/** At equal ratings, a verified license ranks above a register entry, and that above neither. Demo licenses are fictitious. */
export function licenseTrust({ isDemo, isVerified, isListed }: Licensed): 0 | 1 | 2 {
  if (isDemo) return 0
  if (isVerified) return 2
  return isListed ? 1 : 0
}
