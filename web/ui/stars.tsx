import { formatNumber } from '#web/lib/format.ts'
import { cx } from './cx.ts'

/** Rounded points, in a 20 × 20 box. */
export const starPath =
  'M10 1.6c.36 0 .68.2.84.52l2.1 4.3 4.72.7c.77.12 1.08 1.06.52 1.6l-3.42 3.36.8 4.74c.14.77-.67 1.36-1.36 1l-4.2-2.24-4.2 2.24c-.7.36-1.5-.23-1.37-1l.81-4.74L1.82 8.72c-.56-.54-.25-1.48.52-1.6l4.72-.7 2.1-4.3A.94.94 0 0 1 10 1.6z'

/** The widths of a star and of the gap after it, in SVG units. */
export const starSize = 20
export const starGap = 3

const width = 5 * starSize + 4 * starGap

const stars = [0, 1, 2, 3, 4].map((i) => (
  <path key={i} d={starPath} transform={`translate(${i * (starSize + starGap)} 0)`} fill="currentColor" />
))

type StarsProps = {
  /** The average, 0 to 5. */
  rating: number
  /** Number of reviews, even if 0. Omit for a single person's rating. */
  count?: number | undefined
  /** `xs` shows a single star, for lists on phones. */
  size?: 'xs' | 'sm' | 'md' | undefined
  className?: string | undefined
}

const textSizes = { xs: 'text-xs', sm: 'text-sm', md: 'text-base' }

export function Stars({ rating, count, size = 'sm', className }: StarsProps) {
  if (count === 0) return <span className={cx('text-muted text-sm', className)}>No reviews yet</span>
  return (
    <span
      role="img"
      aria-label={ratingText(rating, count)}
      className={cx('inline-flex items-center', size === 'xs' ? 'gap-1' : 'gap-1.5', textSizes[size], className)}
    >
      {size === 'xs' ? <OneStar /> : <FiveStars rating={rating} size={size} />}
      <span className="font-semibold tabular-nums">{roundRating(rating).toFixed(1)}</span>
      {count !== undefined && <span className="text-muted tabular-nums">({formatNumber(count)})</span>}
    </span>
  )
}

const OneStar = () => (
  <svg viewBox={`0 0 ${starSize} ${starSize}`} aria-hidden="true" className="block h-3.25 w-auto text-star">
    <path d={starPath} fill="currentColor" />
  </svg>
)

function FiveStars({ rating, size }: { rating: number; size: 'sm' | 'md' }) {
  return (
    <svg
      viewBox={`0 0 ${width} ${starSize}`}
      aria-hidden="true"
      className={cx('block w-auto max-w-none', size === 'md' ? 'h-5' : 'h-3.75')}
    >
      <g className="text-line">{stars}</g>
      {/* Clips by attribute, because the pages' security policy blocks inline styles. */}
      <svg width={starFill(rating) * width} height={starSize} aria-hidden="true" className="text-star">
        {stars}
      </svg>
    </svg>
  )
}

/** Rounds half up to one decimal, and clamps to 0–5. */
export function roundRating(rating: number): number {
  // Floating-point error can turn 4.35 into 4.3499999999, so round that off first.
  const tenths = Math.round(Number((rating * 10).toFixed(6)))
  return Math.min(5, Math.max(0, tenths / 10))
}

/** A share of the row's width, from 0 to 1. Gaps don't count as part of a star. */
export function starFill(rating: number): number {
  const shown = roundRating(rating)
  const whole = Math.floor(shown)
  return Math.min(1, (whole * (starSize + starGap) + (shown - whole) * starSize) / width)
}

/** "Rated 4.8 out of 5 from 132 reviews". */
export function ratingText(rating: number, count?: number): string {
  const reviews = count === undefined ? '' : ` from ${formatNumber(count)} ${count === 1 ? 'review' : 'reviews'}`
  return `Rated ${roundRating(rating).toFixed(1)} out of 5${reviews}`
}
