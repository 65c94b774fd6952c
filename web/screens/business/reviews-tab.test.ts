import { expect, test } from 'vitest'
import type { Rating } from '#contracts/reviews.ts'
import { distribution, withoutOwn } from './reviews-tab.tsx'

test('lists ratings from five stars down, each with its share', () => {
  expect(distribution([1, 0, 0, 2, 5])).toEqual([
    { stars: 5, count: 5, percent: 63 },
    { stars: 4, count: 2, percent: 25 },
    { stars: 3, count: 0, percent: 0 },
    { stars: 2, count: 0, percent: 0 },
    { stars: 1, count: 1, percent: 13 },
  ])
})

test('shows empty bars if there are no reviews', () => {
  expect(distribution([0, 0, 0, 0, 0]).map(({ percent }) => percent)).toEqual([0, 0, 0, 0, 0])
})

test('subtracts the viewer’s own review from the figures, unless it isn’t counted', () => {
  const summary = { average: 4.5, total: 2, counts: [0, 0, 0, 1, 1], mayReview: true, refusal: null }
  const own = { rating: 4, moderation: null } as Rating
  expect(withoutOwn({ ...summary, own })).toMatchObject({ own: null, average: 5, total: 1, counts: [0, 0, 0, 0, 1] })
  expect(withoutOwn({ ...summary, average: 4, total: 1, counts: [0, 0, 0, 1, 0], own })).toMatchObject({ average: 0, total: 0 })
  expect(withoutOwn({ ...summary, own: { ...own, moderation: 'held' } })).toEqual({ ...summary, own: null })
})
