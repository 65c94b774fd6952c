import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Business } from '../../../contracts/businesses.ts'
import type { RatingSort, RatingSummary } from '../../../contracts/reviews.ts'
import { messageOf } from '../../lib/api-error.ts'
import { formatNumber } from '../../lib/format.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListNote, PagedList } from '../../ui/paged-list.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton, SkeletonGroup, SkeletonRow } from '../../ui/skeleton.tsx'
import { OwnReview } from './own-review.tsx'
import { ReviewItem } from './review-item.tsx'
import { reviewSummaryOptions, reviewsOptions } from './reviews.api.ts'
import { SummaryCard } from './summary-card.tsx'

const sortWords: Record<RatingSort, string> = {
  newest: 'Newest',
  helpful: 'Most helpful',
  highest: 'Highest rated',
  lowest: 'Lowest rated',
}

/** What people say of a business, and what the viewer says. */
export function ReviewsTab({ business }: { business: Business }) {
  const summary = useQuery(reviewSummaryOptions(business.id))
  if (summary.isPending) {
    return (
      <SkeletonGroup label="Loading reviews..." className="grid gap-4">
        <Skeleton className="h-44 rounded-card" />
        <SkeletonRow />
        <SkeletonRow />
        <SkeletonRow />
      </SkeletonGroup>
    )
  }
  if (!summary.data) {
    return (
      <ErrorState
        level={3}
        title="The reviews could not be loaded"
        description={messageOf(summary.error)}
        onRetry={() => void summary.refetch()}
        pending={summary.isFetching}
      />
    )
  }
  const isEmpty = summary.data.total === 0
  return (
    <div className="grid gap-5">
      {!isEmpty && <SummaryCard summary={summary.data} />}
      <OwnReview business={business} summary={summary.data} />
      {isEmpty ? <ListNote title="No reviews yet." /> : <Reviews business={business} summary={summary.data} />}
    </div>
  )
}

function Reviews({ business, summary }: { business: Business; summary: RatingSummary }) {
  const [sort, setSort] = useState<RatingSort>('newest')
  const list = useInfiniteQuery(reviewsOptions(business.id, sort))
  const others = summary.total - (summary.own ? 1 : 0)
  // One's own stands above.
  if (others === 0) return null
  return (
    <section aria-labelledby="all-reviews">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id="all-reviews" className="text-lg tabular-nums">
          {summary.own ? (others === 1 ? '1 other review' : `${formatNumber(others)} other reviews`) : 'All reviews'}
        </h3>
        {others > 1 && (
          <label htmlFor="review-sort" className="flex items-center gap-2.5 text-muted text-sm">
            Sort by
            <Select id="review-sort" value={sort} onChange={(event) => setSort(event.target.value as RatingSort)} className="w-44 text-ink">
              {Object.entries(sortWords).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </Select>
          </label>
        )}
      </div>
      <div className="mt-2">
        <PagedList
          list={list}
          loadingLabel="Loading reviews..."
          skeleton={<SkeletonRow />}
          failure="The reviews could not be loaded"
          empty={<ListNote title="No reviews yet." />}
        >
          {(reviews) => (
            <ul>
              {reviews
                .filter(({ isOwn }) => !isOwn)
                .map((review) => (
                  <li key={review.id} className="border-line border-b py-5 last:border-b-0">
                    <ReviewItem business={business} review={review} />
                  </li>
                ))}
            </ul>
          )}
        </PagedList>
      </div>
    </section>
  )
}
