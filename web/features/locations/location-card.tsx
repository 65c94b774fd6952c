import { Clock, MapPin, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Location } from '../../../contracts/locations.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { HoursList } from './hours-list.tsx'
import { OpenLine } from './open-line.tsx'

type LocationCardProps = {
  location: Location
  isFarm: boolean
  onEdit: () => void
  /** Opens the form with a usual week to put right. */
  onStateHours: () => void
  onRemove: () => void
}

/** One location, for those who run the business. */
export function LocationCard({ location, isFarm, onEdit, onStateHours, onRemove }: LocationCardProps) {
  const { name, isMain, address, location: place, phone, hours, pin } = location
  return (
    <Card asChild>
      <article>
        <CardBody className="grid gap-4">
          <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
            <h3 className="flex min-w-0 flex-wrap items-center gap-2.5 text-lg wrap-anywhere">
              {name}
              {isMain && (
                <Badge variant="outline" className="font-text">
                  Main
                </Badge>
              )}
            </h3>
            <div className="-my-1 flex gap-1">
              <Button variant="secondary" size="sm" aria-label={`Edit ${name}`} onClick={onEdit}>
                Edit
              </Button>
              {!isMain && (
                <Button variant="quiet" size="sm" aria-label={`Remove ${name}`} onClick={onRemove}>
                  Remove
                </Button>
              )}
            </div>
          </div>
          <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
            <div className="grid content-start gap-2 text-[0.9375rem]">
              <Line icon={<MapPin aria-hidden="true" />}>
                {[address, place].filter(Boolean).join(', ') || 'Location not set'}
                <span className="block text-muted text-sm">{pinWords(pin, isFarm)}</span>
              </Line>
              {phone && <Line icon={<Phone aria-hidden="true" />}>{phone}</Line>}
            </div>
            <div className="grid content-start gap-2 text-[0.9375rem]">
              <Line icon={<Clock aria-hidden="true" />}>
                {hours ? (
                  <OpenLine location={location} />
                ) : (
                  <span className="-mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-2 text-muted">
                    Hours not stated
                    <Button variant="secondary" size="sm" aria-label={`State the hours of ${name}`} onClick={onStateHours}>
                      State hours
                    </Button>
                  </span>
                )}
              </Line>
              <div>
                <HoursList location={location} />
              </div>
            </div>
          </div>
        </CardBody>
      </article>
    </Card>
  )
}

function pinWords(pin: Location['pin'], isFarm: boolean): string {
  if (!pin) return 'Not on the map: the place was not found.'
  if (isFarm) return 'On the map at its city, never more exactly.'
  return { premise: 'On the map at the building.', zip: 'On the map at its ZIP code.', city: 'On the map at its city.' }[pin.precision]
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex gap-3 [&>svg]:mt-0.5 [&>svg]:size-4.5 [&>svg]:shrink-0 [&>svg]:text-muted">
      {icon}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}
