import { expect, test } from 'vitest'
import { distribution } from './reviews-tab.tsx'

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
