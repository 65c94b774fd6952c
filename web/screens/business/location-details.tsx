import { ChevronDown, Clock, MapPin, Phone } from 'lucide-react'
import { phoneLink } from '#contracts/addresses.ts'
import type { Location } from '#contracts/locations.ts'
import { HoursList, OpenLine } from '#web/entities/locations/hours-list.tsx'
import { textLink } from '#web/ui/link-styles.ts'

export function HoursDetails({ location }: { location: Location }) {
  return (
    <details className="group">
      <summary className="touch-target flex cursor-pointer list-none items-start justify-between gap-2 rounded-tag [&::-webkit-details-marker]:hidden">
        <OpenLine location={location} />
        <ChevronDown aria-hidden="true" className="mt-1 size-4 shrink-0 text-muted transition-transform group-open:rotate-180" />
        <span className="sr-only">All hours</span>
      </summary>
      <div className="pt-2">
        <HoursList location={location} />
      </div>
    </details>
  )
}

/** Leaves out a closed business's hours, which would suggest that it's open. */
export function OtherLocation({ location, isClosed }: { location: Location; isClosed: boolean }) {
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
        <p className="flex gap-2 pointer-coarse:min-h-11 pointer-coarse:items-center">
          <Phone aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
          <a href={phoneLink(location.phone)} className={`${textLink} touch-target`}>
            {location.phone}
          </a>
        </p>
      )}
      {location.openNow && !isClosed && (
        <details className="group">
          <summary className="flex cursor-pointer list-none items-start gap-2 rounded-tag pointer-coarse:min-h-11 pointer-coarse:items-center [&::-webkit-details-marker]:hidden">
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
