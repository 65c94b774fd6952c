import { useInfiniteQuery } from '@tanstack/react-query'
import type { Business } from '../../../contracts/businesses.ts'
import type { Rating } from '../../../contracts/reviews.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { SkeletonRow } from '../../ui/skeleton.tsx'
import { Stars } from '../../ui/stars.tsx'
import { ratingsOptions } from './businesses.api.ts'
import { Day } from './day.tsx'
import { PagedTab, TabNote } from './tab-states.tsx'

export function ReviewsTab({ business }: { business: Business }) {
  const list = useInfiniteQuery(ratingsOptions(business.id))
  return (
    <PagedTab
      list={list}
      loadingLabel="Loading reviews..."
      skeleton={<SkeletonRow />}
      failure="The reviews could not be loaded"
      empty={<TabNote title="No reviews yet." />}
    >
      {(ratings) => (
        <ul className="max-w-feed">
          {ratings.map((rating) => (
            <li key={rating.id} className="border-line border-b py-5 first:pt-1">
              <Review rating={rating} />
            </li>
          ))}
        </ul>
      )}
    </PagedTab>
  )
}

function Review({ rating: { rating, review, createdAt, user } }: { rating: Rating }) {
  // The last fallback for a public name: an email's local part is shown to its owner only.
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ').trim() || 'Member'
  return (
    <article className="flex gap-3.5">
      <Avatar id={user.id} name={name} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h3 className="font-semibold font-text text-base tracking-normal">{name}</h3>
          <p className="text-muted text-sm">
            <Day at={createdAt} />
          </p>
        </div>
        <Stars rating={rating} className="mt-1" />
        {review && <p className="mt-2 max-w-text whitespace-pre-line wrap-anywhere">{review}</p>}
      </div>
    </article>
  )
}
