import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Heart, Users } from 'lucide-react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { distanceText } from '#web/entities/directory/distance-text.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useUnits } from '#web/lib/use-units.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { cardLink } from '#web/ui/link-styles.ts'
import { Skeleton, SkeletonText } from '#web/ui/skeleton.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { BusinessPicture } from './business-picture.tsx'
import { favoriteIdsOptions } from './businesses.api.ts'
import { LicenseBadge, OriginBadge } from './license-badge.tsx'
import { useFavorite } from './use-favorite.ts'

type BusinessCardProps = {
  business: BusinessSummary
  /** Heading level of the name. */
  level?: 2 | 3
  /** Its pin is hovered or selected on the map. */
  isMarked?: boolean
  /** Pointer or focus entered or left the card. */
  onPointed?: (isPointed: boolean) => void
}

/** A business in a list. The whole card links to its page; the heart is on top. */
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
          {/* Distinguishes shops of the same name in a city. */}
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

/** Renders nothing for zero subscribers. */
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

type FavoriteHeartProps = { business: Pick<BusinessSummary, 'id' | 'name'>; className?: string }

/** The heart on a card. Signed-in people only, and only once its state is known. */
function FavoriteHeart(props: FavoriteHeartProps) {
  return useCurrentUser() ? <Known {...props} /> : null
}

function Known({ business, className }: FavoriteHeartProps) {
  const { data: isFavorited } = useQuery({ ...favoriteIdsOptions, select: (ids) => ids.includes(business.id) })
  const { setFavorite } = useFavorite(business)
  if (isFavorited === undefined) return null
  return (
    <IconButton
      label={`Favorite ${business.name}`}
      variant="floating"
      aria-pressed={isFavorited}
      onClick={() => setFavorite(!isFavorited)}
      className={className}
    >
      <Heart aria-hidden="true" />
    </IconButton>
  )
}
