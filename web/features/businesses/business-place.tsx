// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { Business } from '../../../contracts/businesses.ts'
import { boot } from '../../lib/boot.ts'
import { textLink } from '../../ui/link-styles.ts'
import type { MapPin } from '../map/index.tsx'
import { useSeen } from './use-seen.ts'

const BusinessMap = lazy(async () => ({ default: (await import('../map/index.tsx')).BusinessMap }))

const zooms = { premise: 12.5, zip: 10.5, city: 9 }
/** How far around the pin Discover looks, in degrees. */
const around = 0.15

/** A picture of where the business is. It stands still: a map that catches the wheel is in the way here, and Discover has the real one. */
export function BusinessPlace({ business }: { business: Business }) {
  const { ref, isSeen } = useSeen<HTMLDivElement>()
  const { pin } = business
  if (!pin) return null
  const { latitude, longitude, precision } = pin
  const pins: MapPin[] = [{ id: business.id, slug: business.slug, name: business.name, type: business.type, ...pin, count: 1 }]
  const area = [longitude - around, latitude - around, longitude + around, latitude + around].map((degrees) => degrees.toFixed(4)).join(',')
  return (
    <>
      <div
        ref={ref}
        role="img"
        aria-label={`Map: ${business.name}${business.location ? ` in ${business.location}` : ''}`}
        className="h-48 bg-sunk [&_button]:hidden"
      >
        {isSeen && (
          <div inert className="size-full">
            <Suspense>
              <BusinessMap
                pins={pins}
                selectedId={business.id}
                target={{ latitude, longitude, zoom: zooms[precision] }}
                tiles={{ url: boot.map.tileUrl ?? undefined, pmtiles: boot.map.pmtilesUrl ?? undefined }}
              />
            </Suspense>
          </div>
        )}
      </div>
      <p className="border-line border-t px-4 py-3 text-muted text-sm">
        {precisionNote(business.type === 'farm', precision)}{' '}
        <Link to="/discover" search={{ area, view: 'map' }} className={textLink}>
          See what is around
        </Link>
      </p>
    </>
  )
}

function precisionNote(isFarm: boolean, precision: NonNullable<Business['pin']>['precision']): string | null {
  if (isFarm) return 'Shown at the city: the place of a farm is never shown more exactly.'
  if (precision === 'city') return 'Shown at the center of its city.'
  return precision === 'zip' ? 'Shown at the center of its ZIP code.' : null
}
