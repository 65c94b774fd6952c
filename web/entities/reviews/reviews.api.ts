import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { getRatingSummary, listPersonReviews, listRatings } from '#contracts/calls/reviews.ts'
import type { Rating, RatingSort, RatingSummary } from '#contracts/reviews.ts'
import { changeBusiness } from '#web/entities/businesses/business-caches.ts'
import { callOptions, type ListPage, pagesOptions } from '#web/lib/call.ts'
import { cachedForBack } from '#web/lib/query-client.ts'

/** Keyed by the business's ID, so that updates find it whatever the address was. */
export const reviewsOptions = (businessId: string, sort: RatingSort) => {
  // The default order is omitted from the query.
  const input = { params: { id: businessId }, query: sort === 'newest' ? {} : { sort } }
  return pagesOptions(listRatings, input)
}

export const reviewSummaryOptions = (businessId: string) => callOptions(getRatingSummary, { params: { id: businessId } })

/** Visible reviews by a person, about any business. */
export const personReviewsOptions = (personId: string) => ({
  ...pagesOptions(listPersonReviews, { params: { id: personId } }),
  ...cachedForBack,
})

type Pages = InfiniteData<ListPage<Rating>>

export function changeReview(client: QueryClient, businessId: string, id: string, change: (review: Rating) => Rating): void {
  client.setQueriesData<Pages>(
    { queryKey: [listRatings.path, { id: businessId }] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({ ...page, items: page.items.map((review) => (review.id === id ? change(review) : review)) })),
      },
  )
  client.setQueryData(
    reviewSummaryOptions(businessId).queryKey,
    (summary) => summary && { ...summary, own: summary.own?.id === id ? change(summary.own) : summary.own },
  )
}

/** Writes the response to a change of the viewer's review: the distribution, and the stars wherever the business is shown. */
export function showSummary(client: QueryClient, businessId: string, summary: RatingSummary): void {
  client.setQueryData(reviewSummaryOptions(businessId).queryKey, summary)
  changeBusiness(client, businessId, () => ({ averageRating: summary.average, totalRatings: summary.total }))
  // The viewer's review is shown separately; refetch its position when the list is opened again.
  void client.invalidateQueries({ queryKey: [listRatings.path, { id: businessId }] })
  void client.invalidateQueries({ queryKey: [listPersonReviews.path] })
}

/** The review with the viewer's helpful vote set or removed. Idempotent. */
export function withHelpful(review: Rating, isHelpful: boolean): Rating {
  if (review.isHelpful === isHelpful) return review
  return { ...review, isHelpful, helpfulCount: Math.max(0, review.helpfulCount + (isHelpful ? 1 : -1)) }
}
