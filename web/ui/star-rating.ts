import { formatNumber } from '../lib/format.ts'

/** The width of one star and of the gap after it, in the units of the drawing. */
export const starSize = 20
export const starGap = 3

/** A rating as it is shown: one decimal, halves upward, within 0 and 5. */
export function roundRating(rating: number): number {
  // 4.35 is stored as 4.3499999…; cutting far digits first makes it round as it reads.
  const tenths = Math.round(Number((rating * 10).toFixed(6)))
  return Math.min(5, Math.max(0, tenths / 10))
}

/** How far a row of five stars is filled, from 0 to 1 of its width; a gap never counts as part of a star. */
export function starFill(rating: number): number {
  const shown = roundRating(rating)
  const whole = Math.floor(shown)
  const width = 5 * starSize + 4 * starGap
  return Math.min(1, (whole * (starSize + starGap) + (shown - whole) * starSize) / width)
}

/** "Rated 4.8 out of 5 from 132 reviews": a row of stars in words. */
export function ratingText(rating: number, count?: number): string {
  const reviews = count === undefined ? '' : ` from ${formatNumber(count)} ${count === 1 ? 'review' : 'reviews'}`
  return `Rated ${roundRating(rating).toFixed(1)} out of 5${reviews}`
}
