import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver } from 'react-hook-form'
import { type Location, LocationDetails, type SpecialDay, type WeeklyHours } from '#contracts/locations.ts'
import type { MapBox } from '#web/entities/map/index.tsx'
import { intervalsProblem, usualWeek, weekProblems } from './weekly-hours.ts'

export type LocationValues = {
  name: string
  location: string
  address: string
  phone: string
  timeZone: string
  hasHours: boolean
  hours: WeeklyHours
  specialDays: SpecialDay[]
  /** Set by hand; null derives it from the address. */
  pin: Point | null
}

/** In page order. */
export const locationFields = ['name', 'location', 'address', 'phone', 'pin', 'timeZone', 'hours', 'specialDays'] as const

export const blankLocation = (timeZone: string): LocationValues => ({
  name: '',
  location: '',
  address: '',
  phone: '',
  timeZone,
  hasHours: true,
  hours: usualWeek(),
  specialDays: [],
  pin: null,
})

export const valuesOfLocation = (location: Location): LocationValues => ({
  name: location.name,
  location: location.location ?? '',
  address: location.address ?? '',
  phone: location.phone ?? '',
  timeZone: location.timeZone,
  hasHours: location.hours !== null,
  hours: location.hours ?? usualWeek(),
  specialDays: location.specialDays,
  // A pin on the building may have been set by hand; keep it as long as the address stays.
  pin: location.pin?.precision === 'premise' ? { latitude: location.pin.latitude, longitude: location.pin.longitude } : null,
})

const check = standardSchemaResolver(LocationDetails) as Resolver<object, unknown, LocationDetails>

/** Validates by the contract and rejects overlapping hours. */
export const locationResolver: Resolver<LocationValues, unknown, LocationDetails> = async (values, context, options) => {
  const { hasHours, hours, ...rest } = values
  const isWrong = (hasHours && weekProblems(hours).some(Boolean)) || rest.specialDays.some(({ intervals }) => intervalsProblem(intervals))
  const checked = await check({ ...rest, hours: hasHours ? hours : null }, context, options as never)
  if (!isWrong) return checked as never
  return { values: {}, errors: { ...checked.errors, hours: { type: 'validate', message: 'Some of the hours have errors.' } } as never }
}

export type Point = { latitude: number; longitude: number }

const toRadians = Math.PI / 180
const mercator = (latitude: number) => Math.asinh(Math.tan(latitude * toRadians))

/** Center of a map fitted to a box, in Web Mercator. */
export function centerOf({ west, south, east, north }: MapBox): Point {
  const span = east < west ? east + 360 - west : east - west
  const longitude = west + span / 2
  const middle = (mercator(south) + mercator(north)) / 2
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
  return { latitude: round(Math.atan(Math.sinh(middle)) / toRadians), longitude: round(longitude > 180 ? longitude - 360 : longitude) }
}

/** Bounding box of points with a margin; null if there are none. */
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
