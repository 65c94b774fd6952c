import { formatNumber } from '#web/lib/format.ts'

/** Width of a star and of the gap after it, in SVG units. */
export const starSize = 20
export const starGap = 3

/** Rounds a rating for display: one decimal, halves up, clamped to 0–5. */
export function roundRating(rating: number): number {
  // 4.35 is stored as 4.3499999…; first removing distant digits makes it round as written.
  const tenths = Math.round(Number((rating * 10).toFixed(6)))
  return Math.min(5, Math.max(0, tenths / 10))
}

/** The filled share of a row of five stars, from 0 to 1 of its width; gaps don't count as part of a star. */
export function starFill(rating: number): number {
  const shown = roundRating(rating)
  const whole = Math.floor(shown)
  const width = 5 * starSize + 4 * starGap
  return Math.min(1, (whole * (starSize + starGap) + (shown - whole) * starSize) / width)
}

/** Text for a row of stars: "Rated 4.8 out of 5 from 132 reviews". */
export function ratingText(rating: number, count?: number): string {
  const reviews = count === undefined ? '' : ` from ${formatNumber(count)} ${count === 1 ? 'review' : 'reviews'}`
  return `Rated ${roundRating(rating).toFixed(1)} out of 5${reviews}`
}
