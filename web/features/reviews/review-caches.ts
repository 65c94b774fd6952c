import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { listRatings, type Rating, type RatingSummary } from '../../../contracts/reviews.ts'
import type { ListPage } from '../../lib/call.ts'
import { changeBusiness } from '../businesses/business-caches.ts'
import { reviewSummaryOptions } from './reviews.api.ts'

type Pages = InfiniteData<ListPage<Rating>>

/** The whole business, in every order: what a review says changes everywhere at once. */
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

/** What the server answers to a change of one's own review: the bars here, and the stars wherever the business is shown. */
export function showSummary(client: QueryClient, businessId: string, summary: RatingSummary): void {
  client.setQueryData(reviewSummaryOptions(businessId).queryKey, summary)
  changeBusiness(client, businessId, () => ({ averageRating: summary.average, totalRatings: summary.total }))
  // One's own review stands apart from the list; its place in it is looked up when the list is opened again.
  void client.invalidateQueries({ queryKey: [listRatings.path, { id: businessId }] })
}

/** A review with the viewer's mark set or taken back; the same twice changes nothing. */
export function withHelpful(review: Rating, isHelpful: boolean): Rating {
  if (review.isHelpful === isHelpful) return review
  return { ...review, isHelpful, helpfulCount: Math.max(0, review.helpfulCount + (isHelpful ? 1 : -1)) }
}
