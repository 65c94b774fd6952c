import type { CityMap } from '#contracts/visitor-pages.ts'
import { distanceMiles, EARTH_RADIUS_MILES, type Point } from '#server/kernel/geo/distance.ts'

const width = 640
const height = 240
/** Pixels around the outermost pins. */
const padding = 24
/** Smallest height in miles, so that neighbors don't seem far apart. */
const minMiles = 2
/** Farther from the middle of the others, a coordinate is more likely wrong than in the city. */
const maxMiles = 15
const milesPerDegree = (EARTH_RADIUS_MILES * Math.PI) / 180
const scales = [0.25, 0.5, 1, 2, 5, 10]

/**
 * Draws exact positions to scale, north up. Null for fewer than two. On plain ground: the member map's scenery is generalized for whole
 * regions and puts a river a mile off at the scale of a city.
 */
export function drawCityMap(positions: readonly Point[]): CityMap | null {
  const middle = {
    latitude: medianOf(positions.map((each) => each.latitude)),
    longitude: medianOf(positions.map((each) => each.longitude)),
  }
  const shown = positions.filter((position) => distanceMiles(middle, position) <= maxMiles)
  if (shown.length < 2) return null
  const [latitudes, longitudes] = [shown.map(({ latitude }) => latitude), shown.map(({ longitude }) => longitude)]
  const center = { latitude: middleOf(latitudes), longitude: middleOf(longitudes) }
  // At the scale of a city, degrees are straight lines; a degree of longitude is shorter than one of latitude.
  const milesEast = milesPerDegree * Math.cos((center.latitude * Math.PI) / 180)
  const pixelsPerMile = Math.min(
    (width - 2 * padding) / (spanOf(longitudes) * milesEast || Number.EPSILON),
    (height - 2 * padding) / Math.max(minMiles, spanOf(latitudes) * milesPerDegree),
  )
  const scale = scales.findLast((miles) => miles * pixelsPerMile <= width / 4) ?? 0.25
  return {
    width,
    height,
    pins: shown.map(({ latitude, longitude }) => ({
      x: Math.round(width / 2 + (longitude - center.longitude) * milesEast * pixelsPerMile),
      y: Math.round(height / 2 - (latitude - center.latitude) * milesPerDegree * pixelsPerMile),
    })),
    scale: { miles: scale, length: Math.round(scale * pixelsPerMile) },
  }
}

const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const spanOf = (values: readonly number[]) => Math.max(...values) - Math.min(...values)
const middleOf = (values: readonly number[]) => (Math.max(...values) + Math.min(...values)) / 2
