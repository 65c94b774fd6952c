import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { Ban, Flag, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Business } from '#contracts/businesses.ts'
import { publicDisplayName } from '#contracts/people.rules.ts'
import type { Rating, RatingSort, RatingSummary } from '#contracts/reviews.ts'
import { ModerationNote, MutedNote, useMutedUntil } from '#web/entities/account-status/moderation-note.tsx'
import { useBlockDialog } from '#web/entities/businesses/use-block-dialog.tsx'
import { ReportDialog } from '#web/entities/reports/report-dialog.tsx'
import { reviewSummaryOptions, reviewsOptions } from '#web/entities/reviews/reviews.api.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { useRestoredFocus } from '#web/ui/focus.ts'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { useRemoved } from '#web/ui/pending-removals.ts'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { roundRating, Stars } from '#web/ui/stars.tsx'
import { ReviewBody } from './review-body.tsx'
import { ReviewEditor, useOwnReview } from './review-editor.tsx'

const sortWords: Record<RatingSort, string> = {
  newest: 'Newest',
  helpful: 'Most helpful',
  highest: 'Highest rated',
  lowest: 'Lowest rated',
}

export function ReviewsTab({ business }: { business: Business }) {
  const summary = useQuery(reviewSummaryOptions(business.id))
  const removed = useRemoved()
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
    return <LoadError level={3} title="The reviews couldn’t be loaded" query={summary} />
  }
  const isRemoved = summary.data.own !== null && removed.has(summary.data.own.id)
  const shown = isRemoved ? withoutOwn(summary.data) : summary.data
  const isEmpty = shown.total === 0
  return (
    <div className="grid gap-5">
      {!isEmpty && <SummaryCard summary={shown} />}
      <OwnReview business={business} summary={shown} isRemoved={isRemoved} />
      {isEmpty ? <ListNote title="No reviews yet." /> : <Reviews business={business} summary={shown} />}
    </div>
  )
}

/** The reviews without the viewer's own, which isn't counted while it's held, hidden or removed. */
export function withoutOwn(summary: RatingSummary): RatingSummary {
  const { own, counts } = summary
  if (own?.moderation !== null) return { ...summary, own: null }
  const left = counts.map((count, i) => (i + 1 === own.rating ? count - 1 : count))
  const total = summary.total - 1
  const stars = left.reduce((sum, count, i) => sum + count * (i + 1), 0)
  return { ...summary, own: null, counts: left, total, average: total === 0 ? 0 : stars / total }
}

function Reviews({ business, summary }: { business: Business; summary: RatingSummary }) {
  const [sort, setSort] = useState<RatingSort>('newest')
  const list = useInfiniteQuery(reviewsOptions(business.id, sort))
  // The total leaves out held, hidden and removed reviews.
  const others = summary.total - (summary.own?.moderation === null ? 1 : 0)
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
          failure="The reviews couldn’t be loaded"
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

type OwnReviewProps = {
  business: Business
  summary: RatingSummary
  /** Undo is still possible, so a new review has to wait. */
  isRemoved: boolean
}

function OwnReview({ business, summary: { own, mayReview, refusal }, isRemoved }: OwnReviewProps) {
  const [round, setRound] = useState(0)
  const [edited, setEdited] = useState<string | null>(null)
  const isEditing = own !== null && edited === own.id
  const mutedUntil = useMutedUntil()
  const part = useRestoredFocus<HTMLDivElement>(isRemoved ? 'removed' : own ? (isEditing ? 'editing' : 'written') : `new ${round}`)
  if (!own && !isRemoved && !mayReview) return <Refusal text={refusal} />
  if (!own && !isRemoved && mutedUntil) return <MutedNote until={mutedUntil} />
  return (
    <Card>
      <CardBody {...part} className="-outline-offset-2">
        {isRemoved && <p className="text-muted">Your review was deleted.</p>}
        {!own && !isRemoved && <ReviewEditor key={round} business={business} own={null} onDone={() => setRound(round + 1)} />}
        {own && isEditing && <ReviewEditor business={business} own={own} onDone={() => setEdited(null)} />}
        {own && !isEditing && <OwnReviewCard business={business} own={own} onEdit={() => setEdited(own.id)} />}
      </CardBody>
    </Card>
  )
}

function Refusal({ text }: { text: string | null }) {
  const user = useCurrentUser()
  const here = useLocation({ select: ({ href }) => href })
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-input bg-sunk px-4 py-3">
      <p className="text-[0.9375rem]">{text ?? 'You can’t review this business.'}</p>
      {!user && (
        <Button asChild size="sm" variant="secondary">
          <a href={`/api/login?returnTo=${encodeURIComponent(here)}`}>Sign In</a>
        </Button>
      )}
    </div>
  )
}

function OwnReviewCard({ business, own, onEdit }: { business: Business; own: Rating; onEdit: () => void }) {
  const { remove } = useOwnReview(business.id)
  return (
    <article aria-label="Your review">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="text-lg">Your review</h3>
        <div className="-mr-2 flex gap-1">
          <Button variant="quiet" size="sm" onClick={onEdit}>
            <Pencil aria-hidden="true" />
            Edit
          </Button>
          <Button variant="quiet" size="sm" onClick={() => remove(own)}>
            <Trash2 aria-hidden="true" />
            Delete
          </Button>
        </div>
      </div>
      <ReviewBody business={business} review={own} />
      <ModerationNote state={own.moderation} subject="review" heldFor={own.heldFor} className="mt-3" />
    </article>
  )
}

function ReviewItem({ business, review }: { business: Business; review: Rating }) {
  const [isReporting, setReporting] = useState(false)
  const viewer = useCurrentUser()
  const { user, abilities } = review
  const name = publicDisplayName({ displayName: null, firstName: user.firstName, lastName: user.lastName })
  const block = useBlockDialog(business, { id: user.id, name })
  return (
    <article className="flex gap-3.5">
      <Avatar id={user.id} name={name} imageUrl={user.imageUrl} />
      <div className="min-w-0 flex-1">
        <div className="mb-1 flex items-start justify-between gap-3">
          <h4 className="font-semibold wrap-anywhere">
            {viewer ? (
              <Link to="/people/$id" params={{ id: user.id }} className="touch-target rounded-tag hover:underline hover:underline-offset-3">
                {name}
              </Link>
            ) : (
              name
            )}
          </h4>
          <div className="-mt-1 flex text-muted">
            {abilities.block && (
              <IconButton label={`Block ${name} from ${business.name}`} size="sm" onClick={block.open}>
                <Ban aria-hidden="true" className="size-4!" />
              </IconButton>
            )}
            {abilities.report && (
              <IconButton label={`Report the review by ${name}`} size="sm" onClick={() => setReporting(true)}>
                <Flag aria-hidden="true" className="size-4!" />
              </IconButton>
            )}
          </div>
        </div>
        <ReviewBody business={business} review={review} />
      </div>
      {block.dialog}
      {abilities.report && (
        <ReportDialog
          subject="review"
          subjectId={review.id}
          writer={{ kind: 'person', id: user.id, name }}
          open={isReporting}
          onOpenChange={setReporting}
        />
      )}
    </article>
  )
}

function SummaryCard({ summary: { average, total, counts } }: { summary: RatingSummary }) {
  return (
    <Card>
      <CardBody className="grid items-center gap-x-10 gap-y-5 sm:grid-cols-[auto_minmax(0,1fr)]">
        <div className="flex items-center gap-4 sm:flex-col sm:items-start sm:gap-1">
          <p aria-hidden="true" className="font-display text-4xl tabular-nums">
            {roundRating(average).toFixed(1)}
          </p>
          <div>
            <Stars rating={average} className="[&>span:last-child]:sr-only" />
            <p className="mt-0.5 text-muted text-sm tabular-nums">
              {formatNumber(total)} {total === 1 ? 'review' : 'reviews'}
            </p>
          </div>
        </div>
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">Rating breakdown</caption>
          <thead className="sr-only">
            <tr>
              <th scope="col">Stars</th>
              <th scope="col">Share</th>
              <th scope="col">Reviews</th>
            </tr>
          </thead>
          <tbody>
            {distribution(counts).map(({ stars, count, percent }) => (
              <tr key={stars}>
                <th scope="row" className="w-px py-0.75 pr-3 text-left font-normal! text-muted whitespace-nowrap tabular-nums">
                  {stars} {stars === 1 ? 'star' : 'stars'}
                </th>
                <td className="py-0.75">
                  <span className="block h-2 overflow-hidden rounded-full bg-sunk">
                    <span className="block h-full rounded-full bg-star transition-[width]" style={{ width: `${percent}%` }} />
                  </span>
                  <span className="sr-only">{percent}%</span>
                </td>
                <td className="w-px py-0.75 pl-3 text-right tabular-nums">{formatNumber(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </CardBody>
    </Card>
  )
}

type Bar = { stars: number; count: number; percent: number }

/** Five stars come first, although `counts` starts with one. Percentages are rounded and may not add up to 100. */
export function distribution(counts: readonly number[]): Bar[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts
    .map((count, index) => ({ stars: index + 1, count, percent: total === 0 ? 0 : Math.round((count / total) * 100) }))
    .toReversed()
}
