import { lazy, Suspense } from 'react'
import { MapMessage } from './map-message.tsx'
import type { BusinessMapProps } from './types.ts'

export { isBusiness } from './pin-features.ts'
export type { BusinessMapProps, MapArea, MapBox, MapPin, MapTarget } from './types.ts'

// The renderer is the heaviest thing of the app: it comes when a map is on the screen, and its absence takes nothing else down.
const LazyMap = lazy(() => import('./business-map.tsx').catch(() => ({ default: MapMissing })))

/**
 * Businesses on a map of the United States, drawn without any outside server. It fills its parent, which gives it a size.
 * The list beside it is its equivalent for those who do not see it; "Search this area" is the caller's, by `onAreaChange`.
 */
export function BusinessMap(props: BusinessMapProps) {
  return (
    <Suspense fallback={<MapMessage className={props.className}>Loading the map…</MapMessage>}>
      <LazyMap {...props} />
    </Suspense>
  )
}

function MapMissing({ className }: BusinessMapProps) {
  return <MapMessage className={className}>The map could not be loaded. The list shows the same businesses.</MapMessage>
}
