import type { MapBox, MapPin, MapTarget } from '../map/index.tsx'
import type { Summary } from './directory.api.ts'
import type { DiscoverSearch } from './discover-params.ts'
import { areaBox } from './discover-search.ts'
import { fewPins } from './pin-window.ts'

const milesPerDegree = 69

/** Where the map goes for a search: to its area or place; to what it found, when that is not half the country; else it stays. */
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

/** The smallest box around the pins, not smaller than a town. */
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
