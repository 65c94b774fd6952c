import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { Business } from '#contracts/businesses.ts'
import type { MapPin } from '#web/entities/map/index.tsx'
import { boot } from '#web/lib/boot.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { useSeen } from '#web/ui/when-seen.tsx'

const BusinessMap = lazy(async () => ({ default: (await import('#web/entities/map/index.tsx')).BusinessMap }))

const zooms = { premise: 12.5, zip: 10.5, city: 9 }
/** In degrees. Discover's map area extends this far from the pin in each direction. */
const around = 0.15

/** Static, because an interactive map would capture the mouse wheel. Discover has an interactive one. */
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
          See nearby businesses
        </Link>
      </p>
    </>
  )
}

function precisionNote(isFarm: boolean, precision: NonNullable<Business['pin']>['precision']): string | null {
  if (isFarm) return 'Shown at the center of its city. We never show a farm’s exact location.'
  if (precision === 'city') return 'Shown at the center of its city.'
  return precision === 'zip' ? 'Shown at the center of its ZIP code.' : null
}
