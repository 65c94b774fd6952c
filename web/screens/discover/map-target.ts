import { fewPins, type Summary } from '#web/entities/directory/directory.api.ts'
import type { DiscoverSearch } from '#web/entities/directory/discover-params.ts'
import { areaBox } from '#web/entities/directory/discover-search.ts'
import type { MapBox, MapPin, MapTarget } from '#web/entities/map/index.tsx'

const milesPerDegree = 69

/** Where to move the map for a search: its area or place, or its results unless they span half the country. Undefined: don't move. */
export function mapTarget({ area }: Pick<DiscoverSearch, 'area'>, summary: Summary | null, pins: readonly MapPin[]): MapTarget | undefined {
  if (area) return areaBox(area)
  if (!summary) return undefined
  const { place, total } = summary
  if (place?.radiusMiles) return around(place, place.radiusMiles)
  if (total <= fewPins && pins.length > 0) return boxOf(pins)
  return place ? { latitude: place.latitude, longitude: place.longitude, zoom: 5.5 } : undefined
}

function around({ latitude, longitude }: { latitude: number; longitude: number }, miles: number): MapBox {
  const height = miles / milesPerDegree
  const width = height / Math.cos((latitude * Math.PI) / 180)
  return { west: longitude - width, south: latitude - height, east: longitude + width, north: latitude + height }
}

/** Bounding box of the pins, at least the size of a town. */
function boxOf(pins: readonly MapPin[]): MapBox {
  const latitudes = pins.map(({ latitude }) => latitude)
  const longitudes = pins.map(({ longitude }) => longitude)
  const margin = 0.05
  return {
    west: Math.min(...longitudes) - margin,
    south: Math.min(...latitudes) - margin,
    east: Math.max(...longitudes) + margin,
    north: Math.max(...latitudes) + margin,
  }
}
