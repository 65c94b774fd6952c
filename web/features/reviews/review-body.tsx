import { Gift, ThumbsUp } from 'lucide-react'
import type { Business } from '../../../contracts/businesses.ts'
import type { Rating } from '../../../contracts/reviews.ts'
import { formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Stars } from '../../ui/stars.tsx'
import { Day } from '../businesses/day.tsx'
import { Reply } from './reply.tsx'
import { useHelpful } from './use-helpful.ts'

/** What a review says: stars, day, words, the answer to it, and how many it helped. Who wrote it stands around it. */
export function ReviewBody({ business, review }: { business: Business; review: Rating }) {
  const { rating, review: text, isFreebie, createdAt, editedAt } = review
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-muted text-sm">
        <Stars rating={rating} className="text-ink" />
        <span>
          <Day at={createdAt} />
          {editedAt && ' (edited)'}
        </span>
        {isFreebie && (
          <Badge variant="outline">
            <Gift aria-hidden="true" />
            Got something for free
          </Badge>
        )}
      </div>
      {text && <p className="mt-2 max-w-text whitespace-pre-line wrap-anywhere">{text}</p>}
      <Helpful businessId={business.id} review={review} />
      <Reply business={business} review={review} />
    </>
  )
}

function Helpful({ businessId, review: { id, helpfulCount, isHelpful, abilities } }: { businessId: string; review: Rating }) {
  const { setHelpful } = useHelpful(businessId, id)
  if (!abilities.markHelpful) {
    if (helpfulCount === 0) return null
    return <p className="mt-2 text-muted text-sm tabular-nums">{formatNumber(helpfulCount)} found this helpful</p>
  }
  return (
    <Button
      variant="quiet"
      size="sm"
      aria-pressed={isHelpful}
      className={cx('mt-2 -ml-3', isHelpful && 'text-leaf! [&_svg]:fill-leaf-soft')}
      onClick={() => setHelpful(!isHelpful)}
    >
      <ThumbsUp aria-hidden="true" />
      Helpful
      {helpfulCount > 0 && (
        <span className="tabular-nums">
          {formatNumber(helpfulCount)}
          <span className="sr-only"> found it so</span>
        </span>
      )}
    </Button>
  )
}
