import type { MapBox } from '../map/index.tsx'

export type Point = { latitude: number; longitude: number }

const toRadians = Math.PI / 180
const mercator = (latitude: number) => Math.asinh(Math.tan(latitude * toRadians))

/** The point in the middle of a map that shows a box (in the map's projection, Web Mercator). */
export function centerOf({ west, south, east, north }: MapBox): Point {
  const span = east < west ? east + 360 - west : east - west
  const longitude = west + span / 2
  const middle = (mercator(south) + mercator(north)) / 2
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
  return { latitude: round(Math.atan(Math.sinh(middle)) / toRadians), longitude: round(longitude > 180 ? longitude - 360 : longitude) }
}

/** A box around some points, with room at its sides; null without points. */
export function boxAround(points: readonly Point[]): MapBox | null {
  if (points.length === 0) return null
  const latitudes = points.map(({ latitude }) => latitude)
  const longitudes = points.map(({ longitude }) => longitude)
  const room = 0.05
  return {
    west: Math.min(...longitudes) - room,
    east: Math.max(...longitudes) + room,
    south: Math.min(...latitudes) - room,
    north: Math.max(...latitudes) + room,
  }
}
