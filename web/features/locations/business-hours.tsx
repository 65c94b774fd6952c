import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Clock, MapPin, Phone } from 'lucide-react'
import type { Business } from '../../../contracts/businesses.ts'
import type { Location } from '../../../contracts/locations.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { HoursList } from './hours-list.tsx'
import { locationsOptions } from './locations.api.ts'
import { OpenLine } from './open-line.tsx'

type Shown = Pick<Business, 'id' | 'isClaimed' | 'isDemo'>

/** When the business is open. The line has its height before the answer is there: nothing jumps. Nobody states the hours of an unclaimed one. */
export function BusinessHours({ business }: { business: Shown }) {
  const isKept = business.isClaimed || business.isDemo
  const { data: locations, isPending } = useQuery({ ...locationsOptions(business.id), enabled: isKept })
  if (!isKept) return null
  const main = locations?.find(({ isMain }) => isMain) ?? locations?.[0]
  return (
    <div className="flex min-h-6 gap-3 text-[0.9375rem]">
      <Clock aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        {isPending ? (
          <Skeleton className="mt-1 h-4 w-44 rounded-full" />
        ) : main?.hours ? (
          <details className="group">
            <summary className="touch-target flex cursor-pointer list-none items-start justify-between gap-2 rounded-tag [&::-webkit-details-marker]:hidden">
              <OpenLine location={main} />
              <ChevronDown aria-hidden="true" className="mt-1 size-4 shrink-0 text-muted transition-transform group-open:rotate-180" />
              <span className="sr-only">All hours</span>
            </summary>
            <div className="pt-2">
              <HoursList location={main} />
            </div>
          </details>
        ) : (
          <span className="text-muted">Hours not stated</span>
        )}
      </div>
    </div>
  )
}

/** Where else the business is. At the end of its column, for it comes later than the rest. */
export function OtherLocations({ business }: { business: Shown }) {
  const { data: locations = [] } = useQuery({ ...locationsOptions(business.id), enabled: business.isClaimed || business.isDemo })
  const others = locations.filter(({ isMain }) => !isMain)
  if (others.length === 0) return null
  return (
    <Card asChild>
      <section aria-label="Other locations">
        <CardBody>
          <h2 className="mb-1 text-lg">
            {others.length === 1 ? 'One other location' : `${others.length.toLocaleString('en-US')} other locations`}
          </h2>
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
  )
}

function OtherLocation({ location }: { location: Location }) {
  const place = [location.address, location.location].filter(Boolean).join(', ')
  return (
    <div className="grid gap-1 text-sm">
      <h3 className="font-semibold font-text text-base tracking-normal wrap-anywhere">{location.name}</h3>
      {place && (
        <p className="flex gap-2 text-muted">
          <MapPin aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {place}
        </p>
      )}
      {location.phone && (
        <p className="flex gap-2">
          <Phone aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
          <a href={`tel:${location.phone.replace(/[^\d+]/g, '')}`} className={textLink}>
            {location.phone}
          </a>
        </p>
      )}
      {location.openNow && (
        <details className="group">
          <summary className="touch-target flex cursor-pointer list-none items-start gap-2 rounded-tag [&::-webkit-details-marker]:hidden">
            <Clock aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
            <OpenLine location={location} />
            <span className="sr-only">All hours</span>
            <ChevronDown aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted transition-transform group-open:rotate-180" />
          </summary>
          <div className="pt-2">
            <HoursList location={location} />
          </div>
        </details>
      )}
    </div>
  )
}
