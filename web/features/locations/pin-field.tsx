import { MapPin } from 'lucide-react'
import { useState } from 'react'
import { boot } from '../../lib/boot.ts'
import { Button } from '../../ui/button.tsx'
import { FieldGroup } from '../../ui/field.tsx'
import { BusinessMap } from '../map/index.tsx'
import { centerOf, type Point } from './map-center.ts'

type PinFieldProps = {
  /** Where it was put by hand; null: by the address. */
  pin: Point | null
  /** Where it stands now. */
  current: Point | null
  onChange: (pin: Point | null) => void
}

/** The pin stays in the middle and the map moves under it: by finger, mouse or arrow keys. */
export function PinField({ pin, current, onChange }: PinFieldProps) {
  const [isOpen, setOpen] = useState(false)
  const [start] = useState(() => pin ?? current)
  return (
    <FieldGroup
      legend="Pin"
      hint={pin ? 'It stands at this point.' : 'It is placed by the address. Put it by hand when that is not the door.'}
    >
      {isOpen ? (
        <div className="relative h-72 overflow-clip rounded-input border border-line">
          <BusinessMap
            pins={[]}
            target={start ? { ...start, zoom: 14 } : undefined}
            tiles={{ url: boot.map.tileUrl ?? undefined, pmtiles: boot.map.pmtilesUrl ?? undefined }}
            label="Map: move it until the pin is at the door"
            onAreaChange={(area) => area.byPerson && onChange(centerOf(area))}
          />
          <span aria-hidden="true" className="pointer-events-none absolute inset-0 grid place-items-center">
            <MapPin className="size-9 -translate-y-1/2 fill-leaf text-on-leaf" />
          </span>
        </div>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="secondary" size="sm" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          <MapPin aria-hidden="true" />
          {isOpen ? 'Close the map' : 'Put the pin by hand'}
        </Button>
        {pin && (
          <Button variant="quiet" size="sm" onClick={() => onChange(null)}>
            Place it by the address
          </Button>
        )}
        {pin && (
          <span className="text-muted text-sm tabular-nums" role="status">
            {pin.latitude.toFixed(5)}, {pin.longitude.toFixed(5)}
          </span>
        )}
      </div>
    </FieldGroup>
  )
}
