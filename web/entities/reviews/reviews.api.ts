import type { QueryClient } from '@tanstack/react-query'
import { getRatingSummary, listPersonReviews, listRatings } from '#contracts/calls/reviews.ts'
import type { Rating, RatingSort, RatingSummary } from '#contracts/reviews.ts'
import { changeBusiness } from '#web/entities/businesses/businesses.api.ts'
import { callOptions, changeItems, pagesOptions } from '#web/lib/call.ts'
import { cachedForBack, othersChange } from '#web/lib/query-client.ts'

/** Keyed by the business's ID, even if the page's address has the slug, so updates find it. */
export const reviewsOptions = (businessId: string, sort: RatingSort) => {
  const input = { params: { id: businessId }, query: sort === 'newest' ? {} : { sort } }
  return { ...pagesOptions(listRatings, input), meta: othersChange }
}

export const reviewSummaryOptions = (businessId: string) => ({
  ...callOptions(getRatingSummary, { params: { id: businessId } }),
  meta: othersChange,
})

export const personReviewsOptions = (personId: string) => ({
  ...pagesOptions(listPersonReviews, { params: { id: personId } }),
  ...cachedForBack,
  meta: othersChange,
})

export function changeReview(client: QueryClient, businessId: string, id: string, change: (review: Rating) => Rating): void {
  changeItems<Rating>(client, { queryKey: [listRatings.path, { id: businessId }] }, (reviews) =>
    reviews.map((review) => (review.id === id ? change(review) : review)),
  )
  client.setQueryData(
    reviewSummaryOptions(businessId).queryKey,
    (summary) => summary && { ...summary, own: summary.own?.id === id ? change(summary.own) : summary.own },
  )
}

/** Call after changing the viewer's review. Also updates the business's stars in cached responses. */
export function showSummary(client: QueryClient, businessId: string, summary: RatingSummary): void {
  client.setQueryData(reviewSummaryOptions(businessId).queryKey, summary)
  changeBusiness(client, businessId, () => ({ averageRating: summary.average, totalRatings: summary.total }))
  // The review's position in the list may have changed. The viewer's own review is shown separately, so don't wait for the refetch.
  void client.invalidateQueries({ queryKey: [listRatings.path, { id: businessId }] })
  void client.invalidateQueries({ queryKey: [listPersonReviews.path] })
}

/** Sets or removes the viewer's vote. Idempotent. */
export function withHelpful(review: Rating, isHelpful: boolean): Rating {
  if (review.isHelpful === isHelpful) return review
  return { ...review, isHelpful, helpfulCount: Math.max(0, review.helpfulCount + (isHelpful ? 1 : -1)) }
}
