import type { MyBusiness } from '../../../contracts/businesses.ts'
import type { Location } from '../../../contracts/locations.ts'
import { boot } from '../../lib/boot.ts'
import { Card } from '../../ui/card.tsx'
import { useSeen } from '../businesses/use-seen.ts'
import { BusinessMap, type MapPin } from '../map/index.tsx'
import { boxAround } from './map-center.ts'

/** The pins of all locations on one map that stands still. It comes when it is on the screen. */
export function LocationsMap({ business, locations }: { business: MyBusiness; locations: readonly Location[] }) {
  const { ref, isSeen } = useSeen<HTMLDivElement>()
  const pins: MapPin[] = locations.flatMap(({ id, name, pin }) =>
    pin ? [{ id, slug: business.slug, name, type: business.type, ...pin, count: 1 }] : [],
  )
  const box = boxAround(pins)
  if (!box) return null
  return (
    <Card className="lg:sticky lg:top-20">
      <div
        ref={ref}
        role="img"
        aria-label={`Map: ${pins.length === 1 ? '1 pin' : `${pins.length} pins`} of ${business.name}`}
        className="h-64 bg-sunk lg:h-96 [&_button]:hidden"
      >
        {isSeen && (
          <div inert className="size-full">
            <BusinessMap
              pins={pins}
              selectedId={pins[0]?.id}
              target={box}
              tiles={{ url: boot.map.tileUrl ?? undefined, pmtiles: boot.map.pmtilesUrl ?? undefined }}
            />
          </div>
        )}
      </div>
    </Card>
  )
}
