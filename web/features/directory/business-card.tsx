import { Link } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { businessTypeLabels } from '../../../contracts/business-types.ts'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { formatNumber } from '../../lib/format.ts'
import { useUnits } from '../../lib/use-units.ts'
import { Card } from '../../ui/card.tsx'
import { cardLink } from '../../ui/link-styles.ts'
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'
import { Stars } from '../../ui/stars.tsx'
import { BusinessPicture } from '../businesses/business-picture.tsx'
import { FavoriteHeart } from '../businesses/favorite-heart.tsx'
import { LicenseBadge, OriginBadge } from '../businesses/license-badge.tsx'
import { distanceText } from './distance-text.ts'

type BusinessCardProps = {
  business: BusinessSummary
  /** Where the name stands in the page's outline. */
  level?: 2 | 3
  /** Its pin is pointed at or open on the map. */
  isMarked?: boolean
  /** The pointer or the focus came to the card, or left it. */
  onPointed?: (isPointed: boolean) => void
}

/** A business in a list. All of the card leads to its page; the heart stands on top. */
export function BusinessCard({ business, level = 3, isMarked = false, onPointed }: BusinessCardProps) {
  const Heading = `h${level}` as const
  const facts = [
    businessTypeLabels[business.type],
    business.location ?? 'Location not set',
    distanceText(business, useUnits().distance),
  ].filter(Boolean)
  return (
    <Card
      asChild
      interactive
      className="flex h-full flex-col data-marked:border-leaf data-marked:outline-2 data-marked:-outline-offset-1 data-marked:outline-leaf"
    >
      <article
        id={`business-${business.id}`}
        data-marked={isMarked || undefined}
        onPointerEnter={(event) => event.pointerType === 'mouse' && onPointed?.(true)}
        onPointerLeave={() => onPointed?.(false)}
        onFocus={() => onPointed?.(true)}
        onBlur={() => onPointed?.(false)}
      >
        <BusinessPicture business={business} />
        <div className="flex flex-1 flex-col p-4">
          <Heading className="line-clamp-2 text-lg">
            <Link to="/business/$id" params={{ id: business.slug }} className={cardLink}>
              {business.name}
            </Link>
          </Heading>
          <p className="mt-1 text-muted text-sm">{facts.join(' · ')}</p>
          {/* Tells the shops of one name in one city apart. */}
          {business.address && <p className="truncate text-muted text-sm">{business.address}</p>}
          <div className="mt-2.5 flex items-center justify-between gap-3">
            <Stars rating={business.averageRating} count={business.totalRatings} />
            <Subscribers count={business.subscriberCount} />
          </div>
          <div className="mt-auto pt-3">
            <div className="flex min-h-9 flex-wrap items-end gap-1.5 border-line border-t pt-3">
              <LicenseBadge business={business} />
              <OriginBadge business={business} />
            </div>
          </div>
        </div>
        <FavoriteHeart business={business} className="absolute! top-2.5 right-2.5 z-1" />
      </article>
    </Card>
  )
}

/** A listing that nobody has subscribed to yet says nothing about it. */
function Subscribers({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-muted text-sm tabular-nums">
      <Users aria-hidden="true" className="size-4" />
      {formatNumber(count)}
      <span className="sr-only">{count === 1 ? 'subscriber' : 'subscribers'}</span>
    </span>
  )
}

/** The shape of a card that is on its way. */
export function BusinessCardSkeleton() {
  return (
    <span className="block overflow-hidden rounded-card border border-line bg-surface">
      <Skeleton className="aspect-[320/168] rounded-none" />
      <span className="grid gap-3 p-4">
        <Skeleton className="h-5 w-3/5 rounded-full" />
        <SkeletonText lines={2} />
        <span className="mt-1 border-line border-t pt-4">
          <Skeleton className="h-3.5 w-2/5 rounded-full" />
        </span>
      </span>
    </span>
  )
}
