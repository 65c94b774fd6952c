import { lazy, Suspense } from 'react'
import { MapMessage } from './map-message.tsx'
import type { BusinessMapProps } from './types.ts'

export { isBusiness } from './pin-features.ts'
export type { BusinessMapProps, MapArea, MapBox, MapPin, MapTarget } from './types.ts'

// The renderer is large, so it loads with the first visible map, and its failure must not break the page.
const LazyMap = lazy(() => import('./business-map.tsx').catch(() => ({ default: MapMissing })))

/**
 * Covers the United States and works without any third-party server. Fills its parent, which must have a size. The list next to it is the
 * accessible equivalent. The caller implements "Search this area" with `onAreaChange`.
 */
export function BusinessMap(props: BusinessMapProps) {
  return (
    <Suspense fallback={<MapMessage className={props.className}>Loading the map...</MapMessage>}>
      <LazyMap {...props} />
    </Suspense>
  )
}

function MapMissing({ className }: BusinessMapProps) {
  return <MapMessage className={className}>The map couldn’t be loaded. The list has the same businesses.</MapMessage>
}
