import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Gift } from 'lucide-react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { PersonReview } from '#contracts/reviews.endpoints.ts'
import { ModerationNote } from '#web/entities/account-status/moderation-note.tsx'
import { BusinessThumb } from '#web/entities/businesses/business-picture.tsx'
import { Gallery } from '#web/entities/media/gallery.tsx'
import { personReviewsOptions } from '#web/entities/reviews/reviews.api.ts'
import { Day } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { Stars } from '#web/ui/stars.tsx'

export function PersonReviews({ id, isSelf }: { id: string; isSelf: boolean }) {
  const list = useInfiniteQuery(personReviewsOptions(id))
  return (
    <PagedList
      list={list}
      loadingLabel="Loading reviews..."
      skeleton={<SkeletonRow />}
      failure="The reviews couldn’t be loaded"
      empty={<ListNote title="No reviews yet.">{isSelf && 'Your reviews of businesses appear here.'}</ListNote>}
    >
      {(reviews) => (
        <ul className="grid gap-4">
          {reviews.map((review) => (
            <li key={review.id} className="min-w-0">
              <ReviewCard review={review} />
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  )
}

function ReviewCard({ review: shown }: { review: PersonReview }) {
  const { business, rating, review, photos, isFreebie, createdAt, editedAt, reply, moderation, heldFor } = shown
  return (
    <Card asChild>
      <article>
        <CardBody>
          <div className="flex min-w-0 items-center gap-3">
            <BusinessThumb business={business} className="size-11" />
            <div className="min-w-0">
              <h3 className="font-semibold font-text text-base wrap-anywhere">
                <Link
                  to="/business/$id"
                  params={{ id: business.slug }}
                  search={{ tab: 'reviews' }}
                  hash="more"
                  className="touch-target rounded-tag hover:underline hover:underline-offset-3"
                >
                  {business.name}
                </Link>
              </h3>
              <p className="text-muted text-sm">
                {businessTypeLabels[business.type]} · <Day at={createdAt} />
                {editedAt && ' (edited)'}
              </p>
            </div>
          </div>
          <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
            <Stars rating={rating} />
            {isFreebie && (
              <Badge variant="outline">
                <Gift aria-hidden="true" />
                Got something for free
              </Badge>
            )}
          </div>
          {review && <p className="mt-2 max-w-text whitespace-pre-line wrap-anywhere">{review}</p>}
          {photos.length > 0 && (
            <div className="mt-3 max-w-md">
              <Gallery media={photos} of={`the review of ${business.name}`} />
            </div>
          )}
          <ModerationNote state={moderation} subject="review" heldFor={heldFor} className="mt-3" />
          {reply && (
            <div className="mt-3 rounded-input bg-sunk px-4 py-3">
              <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
                <span className="font-semibold wrap-anywhere">Reply from {business.name}</span>
                <span className="text-muted">
                  <Day at={reply.createdAt} />
                </span>
              </p>
              <p className="mt-1.5 max-w-text text-[0.9375rem] whitespace-pre-line wrap-anywhere">{reply.content}</p>
            </div>
          )}
        </CardBody>
      </article>
    </Card>
  )
}
