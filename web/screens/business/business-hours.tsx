import { useQuery } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { Business } from '#contracts/businesses.ts'
import { locationsOptions } from '#web/entities/locations/locations.api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

// The code for hours is large, and rendering waits for a response anyway.
const loadDetails = () => import('./location-details.tsx')
const HoursDetails = lazy(async () => ({ default: (await loadDetails()).HoursDetails }))
const OtherLocation = lazy(async () => ({ default: (await loadDetails()).OtherLocation }))

type Shown = Pick<Business, 'id' | 'isClaimed' | 'isDemo'>

/** Opening hours. Reserves its height while loading. Unclaimed businesses have no hours. */
export function BusinessHours({ business }: { business: Shown }) {
  const isMaintained = business.isClaimed || business.isDemo
  const { data: locations, isPending } = useQuery({ ...locationsOptions(business.id), enabled: isMaintained })
  if (!isMaintained) return null
  const main = locations?.find(({ isMain }) => isMain) ?? locations?.[0]
  return (
    <div className="flex min-h-6 gap-3 text-[0.9375rem]">
      <Clock aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        {isPending ? (
          <HoursSkeleton />
        ) : main?.hours ? (
          <Suspense fallback={<HoursSkeleton />}>
            <HoursDetails location={main} />
          </Suspense>
        ) : (
          <span className="text-muted">Hours not listed</span>
        )}
      </div>
    </div>
  )
}

const HoursSkeleton = () => <Skeleton className="mt-1 h-4 w-44 rounded-full" />

/** Other locations. Last in its column, because it loads later than the rest. */
export function OtherLocations({ business }: { business: Shown }) {
  const { data: locations = [] } = useQuery({ ...locationsOptions(business.id), enabled: business.isClaimed || business.isDemo })
  const others = locations.filter(({ isMain }) => !isMain)
  if (others.length === 0) return null
  return (
    <Suspense>
      <Card asChild>
        <section aria-label="Other locations">
          <CardBody>
            <h2 className="mb-1 text-lg">{others.length === 1 ? '1 other location' : `${formatNumber(others.length)} other locations`}</h2>
            <ul>
              {others.map((location) => (
                <li key={location.id} className="border-line py-3 not-first:border-t last:pb-0">
                  <OtherLocation location={location} />
                </li>
              ))}
            </ul>
          </CardBody>
        </section>
      </Card>
    </Suspense>
  )
}
