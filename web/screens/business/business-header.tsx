import { lazy, Suspense } from 'react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { Business } from '#contracts/businesses.ts'
import { BusinessPicture } from '#web/entities/businesses/business-picture.tsx'
import { LicenseBadge, OriginBadge } from '#web/entities/businesses/license-badge.tsx'
import { boot } from '#web/lib/boot.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Stars } from '#web/ui/stars.tsx'
import { ActionsSkeleton } from './business-skeleton.tsx'

export function BusinessHeader({ business }: { business: Business }) {
  const { name, type, location, averageRating, totalRatings, subscriberCount } = business
  return (
    <header>
      <div className="overflow-clip border-line max-sm:-mx-4 max-sm:border-b sm:rounded-card sm:border">
        <BusinessPicture business={business} eager className="h-40 object-cover sm:h-60 lg:h-72" />
      </div>
      <div className="mt-5 flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="min-w-0 max-w-text flex-1 basis-80">
          <h1 className="text-2xl wrap-anywhere sm:text-3xl">{name}</h1>
          <p className="mt-1.5 text-muted">
            {businessTypeLabels[type]} · {location ?? 'Location not set'}
          </p>
          <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
            <Stars rating={averageRating} count={totalRatings} size="md" />
            <span className="text-muted text-sm tabular-nums">
              {formatNumber(subscriberCount)} {subscriberCount === 1 ? 'subscriber' : 'subscribers'}
            </span>
            <LicenseBadge business={business} />
            <OriginBadge business={business} />
          </div>
        </div>
        <div className="flex w-full flex-wrap items-center gap-2 lg:w-auto lg:max-w-112 lg:justify-end">
          <BusinessActions business={business} />
        </div>
      </div>
    </header>
  )
}

// Starts loading with the page, because it waits for a response anyway.
const load = () => import('./member-actions.tsx')
const MemberActions = lazy(load)
if (boot.user) void load().catch(() => undefined)

/** Actions for a business. Signed-out visitors get the sign-in screen instead. */
const BusinessActions = ({ business }: { business: Business }) => (
  <Suspense fallback={<ActionsSkeleton />}>
    <MemberActions business={business} />
  </Suspense>
)
