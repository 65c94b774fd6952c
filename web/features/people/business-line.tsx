import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { businessTypeLabels } from '../../../contracts/business-types.ts'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { Stars } from '../../ui/stars.tsx'
import { BusinessThumb } from '../businesses/business-picture.tsx'

/** A business in a list of what somebody follows or has blocked. `children`: what can be done, at the end of the row. */
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
