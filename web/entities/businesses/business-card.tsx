import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Heart, Users } from 'lucide-react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { OpenLine } from '#web/entities/locations/hours-list.tsx'
import { MenuFreshness } from '#web/entities/menus/confirmed.tsx'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { formatNumber } from '#web/lib/format.ts'
import { distanceText, useUnits } from '#web/lib/units.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { cardLink } from '#web/ui/link-styles.ts'
import { Skeleton, SkeletonText } from '#web/ui/skeleton.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { BusinessPicture } from './business-picture.tsx'
import { favoriteIdsOptions } from './businesses.api.ts'
import { ClosureBadge, LicenseBadge, OriginBadge } from './license-badge.tsx'
import { useFavorite } from './use-favorite.ts'

type BusinessCardProps = {
  business: BusinessSummary
  level?: 2 | 3
  /** On phones, shows a row with a small picture, so several fit on the screen. */
  compact?: boolean
  isMarked?: boolean
  onPointed?: (isPointed: boolean) => void
}

export function BusinessCard({ business, level = 3, compact = false, isMarked = false, onPointed }: BusinessCardProps) {
  const Heading = `h${level}` as const
  // Keeps the line from wrapping between a number and its unit, or before a dot.
  const distance = distanceText(business, useUnits().distance)?.replaceAll(' ', '\u00a0')
  const where = [distance, business.location ?? 'Location not set'].filter(Boolean).join('\u00a0· ')
  const facts = `${businessTypeLabels[business.type]} · ${where}`
  // A narrow row with a distance has room only for the city.
  const state = compact && distance ? (/, [A-Z]{2}$/.exec(facts)?.[0] ?? '') : ''
  return (
    <Card
      asChild
      interactive
      className={cx(
        'flex h-full flex-col data-marked:border-leaf data-marked:outline-2 data-marked:-outline-offset-1 data-marked:outline-leaf',
        compact && 'max-sm:flex-row',
      )}
    >
      <article
        id={`business-${business.id}`}
        data-marked={isMarked || undefined}
        onPointerEnter={(event) => event.pointerType === 'mouse' && onPointed?.(true)}
        onPointerLeave={() => onPointed?.(false)}
        onFocus={() => onPointed?.(true)}
        onBlur={() => onPointed?.(false)}
      >
        <BusinessPicture
          business={business}
          className={compact ? 'max-sm:aspect-auto! max-sm:w-16! max-sm:shrink-0 max-sm:self-stretch' : ''}
        />
        <div className={cx('flex min-w-0 flex-1 flex-col p-4', compact && 'max-sm:px-3 max-sm:py-2.5')}>
          <Heading
            className={cx('line-clamp-2 text-lg', compact && 'max-sm:line-clamp-1 max-sm:pr-9 max-sm:text-base max-[22rem]:line-clamp-2')}
          >
            <Link to="/business/$id" params={{ id: business.slug }} className={cardLink}>
              {business.name}
            </Link>
          </Heading>
          <p className={cx('mt-1 text-muted text-sm', compact && 'max-sm:mt-0 max-sm:truncate max-sm:pr-9 max-[22rem]:whitespace-normal')}>
            {state ? facts.slice(0, -state.length) : facts}
            {state && <span className="max-sm:hidden">{state}</span>}
          </p>
          {business.openNow && business.timeZone && (
            <p className={cx('mt-0.5 text-sm', compact && 'max-sm:mt-0 max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-2.5')}>
              <OpenLine location={{ openNow: business.openNow, timeZone: business.timeZone }} />
              {compact && business.menuConfirmedAt && <MenuFreshness at={business.menuConfirmedAt} className="sm:hidden" />}
            </p>
          )}
          {/* Distinguishes shops of the same name in one city. */}
          {business.address && (
            <p className={cx('truncate text-muted text-sm', compact && business.openNow && 'max-sm:hidden')}>{business.address}</p>
          )}
          <div className={cx('flex items-center justify-between gap-3 pt-2.5', compact && 'max-sm:hidden')}>
            <Stars rating={business.averageRating} count={business.totalRatings} />
            <Subscribers count={business.subscriberCount} />
          </div>
          {business.menuConfirmedAt && <MenuFreshness at={business.menuConfirmedAt} className={cx('mt-1.5', compact && 'max-sm:hidden')} />}
          <div className={cx('mt-auto pt-3', compact && 'max-sm:hidden')}>
            <div className="flex min-h-9 flex-wrap items-end gap-1.5 border-line border-t pt-3">
              <ClosureBadge business={business} />
              <LicenseBadge business={business} />
              <OriginBadge business={business} />
            </div>
          </div>
          {compact && <CompactFacts business={business} />}
        </div>
        <FavoriteHeart
          business={business}
          className={cx('absolute! top-2.5 right-2.5 z-1', compact && 'max-sm:top-1.5 max-sm:right-1.5')}
        />
      </article>
    </Card>
  )
}

/** The last of at most four lines, so several cards fit on a phone's screen. */
function CompactFacts({ business }: { business: BusinessSummary }) {
  const { averageRating, totalRatings, menuConfirmedAt, openNow } = business
  return (
    <div className="mt-auto flex flex-wrap items-center gap-x-2 gap-y-1 pt-1 text-xs sm:hidden">
      {totalRatings > 0 && <Stars rating={averageRating} count={totalRatings} size="xs" />}
      {menuConfirmedAt && !openNow && <MenuFreshness at={menuConfirmedAt} />}
      <ClosureBadge business={business} />
      <LicenseBadge business={business} />
      <OriginBadge business={business} />
    </div>
  )
}

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

export function BusinessCardSkeleton({ compact = false }: Pick<BusinessCardProps, 'compact'>) {
  return (
    <span className={cx('block overflow-hidden rounded-card border border-line bg-surface', compact && 'max-sm:flex')}>
      <Skeleton className={cx('aspect-[320/168] rounded-none', compact && 'max-sm:aspect-auto max-sm:w-18 max-sm:shrink-0')} />
      <span className={cx('grid gap-3 p-4', compact && 'max-sm:flex-1 max-sm:px-3.5 max-sm:py-3')}>
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

function FavoriteHeart(props: FavoriteHeartProps) {
  return useCurrentUser() ? <SignedInFavoriteHeart {...props} /> : null
}

function SignedInFavoriteHeart({ business, className }: FavoriteHeartProps) {
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
