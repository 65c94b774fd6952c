import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import type { Business } from '#contracts/businesses.ts'
import type { Rating, RatingSummary } from '#contracts/reviews.ts'
import { businessOptions } from '#web/entities/businesses/businesses.api.ts'
import { markSharedDataStale, queryClient } from '#web/lib/query-client.ts'
import { changeReview, personReviewsOptions, reviewSummaryOptions, reviewsOptions, showSummary, withHelpful } from './reviews.api.ts'

const review = (id: string, changes: Partial<Rating> = {}) => ({ id, isHelpful: false, helpfulCount: 4, ...changes }) as Rating
const pages = (...lists: Rating[][]) => ({ pages: lists.map((items) => ({ items, next: null })), pageParams: lists.map(() => null) })
const summary = (changes: Partial<RatingSummary> = {}): RatingSummary => ({
  average: 4,
  total: 2,
  counts: [0, 0, 0, 2, 0],
  own: null,
  mayReview: true,
  refusal: null,
  ...changes,
})

let client: QueryClient
beforeEach(() => {
  client = new QueryClient()
})
const helpful = (id: string, sort: 'newest' | 'helpful') =>
  client
    .getQueryData(reviewsOptions('a', sort).queryKey)
    ?.pages.flatMap(({ items }) => items)
    .find((each) => each.id === id)?.helpfulCount

test('updates a review on every page in every sort order, and the viewer’s own review', () => {
  client.setQueryData(reviewsOptions('a', 'newest').queryKey, pages([review('1')], [review('2')]))
  client.setQueryData(reviewsOptions('a', 'helpful').queryKey, pages([review('2'), review('1')]))
  client.setQueryData(reviewsOptions('b', 'newest').queryKey, pages([review('2')]))
  client.setQueryData(reviewSummaryOptions('a').queryKey, summary({ own: review('2') }))
  changeReview(client, 'a', '2', (each) => withHelpful(each, true))
  expect(helpful('2', 'newest')).toBe(5)
  expect(helpful('2', 'helpful')).toBe(5)
  expect(helpful('1', 'newest')).toBe(4)
  expect(client.getQueryData(reviewSummaryOptions('a').queryKey)?.own?.helpfulCount).toBe(5)
  expect(client.getQueryData(reviewsOptions('b', 'newest').queryKey)?.pages[0]?.items[0]?.helpfulCount).toBe(4)
})

test('counts a helpful vote only once, and removes it', () => {
  const marked = withHelpful(withHelpful(review('1'), true), true)
  expect(marked).toMatchObject({ isHelpful: true, helpfulCount: 5 })
  expect(withHelpful(marked, false)).toEqual(review('1'))
  expect(withHelpful(review('1', { isHelpful: true, helpfulCount: 0 }), false).helpfulCount).toBe(0)
})

test('updates the business’s stars immediately', () => {
  client.setQueryData(businessOptions('slug-a').queryKey, { id: 'a', averageRating: 4, totalRatings: 2 } as Business)
  showSummary(client, 'a', summary({ average: 4.3, total: 3 }))
  expect(client.getQueryData(businessOptions('slug-a').queryKey)).toMatchObject({ averageRating: 4.3, totalRatings: 3 })
  expect(client.getQueryData(reviewSummaryOptions('a').queryKey)?.total).toBe(3)
})

test('fetches other people’s reviews when a business page or a profile is opened again', () => {
  const all = [reviewsOptions('a', 'newest'), reviewsOptions('a', 'helpful'), reviewSummaryOptions('a'), personReviewsOptions('p')]
  for (const options of all)
    queryClient
      .getQueryCache()
      .build(queryClient, options as never)
      .setData({ pages: [], pageParams: [] } as never)
  markSharedDataStale()
  expect(all.map(({ queryKey }) => queryClient.getQueryState(queryKey)?.isInvalidated)).toEqual([true, true, true, true])
  queryClient.clear()
})
