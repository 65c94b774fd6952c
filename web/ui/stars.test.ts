import { expect, test } from 'vitest'
import { ratingText, roundRating, starFill, starGap, starSize } from './stars.tsx'

test.each([
  [4.75, 4.8],
  [4.74, 4.7],
  [4.35, 4.4],
  [1.005, 1],
  [3.25, 3.3],
  [2.95, 3],
  [0, 0],
  [5, 5],
  [5.2, 5],
  [-1, 0],
  // 4.65 with floating-point error.
  [4.649999999999999, 4.7],
  [14 / 3, 4.7],
])('rounds a rating of %d to %d', (rating, shown) => {
  expect(roundRating(rating)).toBe(shown)
})

test('fills each whole star and the gap after it, and the entire row at five', () => {
  const width = 5 * starSize + 4 * starGap
  expect(starFill(0)).toBe(0)
  expect(starFill(1) * width).toBe(starSize + starGap)
  expect(starFill(0.5) * width).toBe(starSize / 2)
  expect(starFill(4.5) * width).toBe(4 * (starSize + starGap) + starSize / 2)
  expect(starFill(5)).toBe(1)
})

test('describes the rounded rating in words', () => {
  expect(ratingText(4.75, 1418)).toBe('Rated 4.8 out of 5 from 1,418 reviews')
  expect(ratingText(5, 1)).toBe('Rated 5.0 out of 5 from 1 review')
  expect(ratingText(3)).toBe('Rated 3.0 out of 5')
})
