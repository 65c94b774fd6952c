import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { BusinessThumb } from '#web/entities/businesses/business-picture.tsx'
import { Stars } from '#web/ui/stars.tsx'

/** A business in a list of followed or blocked ones. `children` are actions at the end of the row. */
export function BusinessLine({ business, children }: { business: BusinessSummary; children?: ReactNode }) {
  const { slug, name, type, location, averageRating, totalRatings } = business
  return (
    <li className="flex items-center gap-3.5 px-4 py-3 sm:px-5">
      <BusinessThumb business={business} />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">
          <Link to="/business/$id" params={{ id: slug }} className="touch-target rounded-tag hover:underline hover:underline-offset-3">
            {name}
          </Link>
        </p>
        <p className="text-muted text-sm">
          {businessTypeLabels[type]} · {location ?? 'Location not set'}
        </p>
      </div>
      <Stars rating={averageRating} count={totalRatings} className="max-sm:hidden" />
      {children}
    </li>
  )
}
