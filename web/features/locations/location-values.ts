import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver } from 'react-hook-form'
import { type Location, LocationDetails, type SpecialDay, type WeeklyHours } from '../../../contracts/locations.ts'
import type { Point } from './map-center.ts'
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
  /** Put by hand; null: by the address. */
  pin: Point | null
}

/** In the order of the page. */
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
  // A pin at the building may have been put there by hand; it stays while the address does.
  pin: location.pin?.precision === 'premise' ? { latitude: location.pin.latitude, longitude: location.pin.longitude } : null,
})

const check = standardSchemaResolver(LocationDetails) as Resolver<object, unknown, LocationDetails>

/** The contract's own check, and hours that do not overlap. */
export const locationResolver: Resolver<LocationValues, unknown, LocationDetails> = async (values, context, options) => {
  const { hasHours, hours, ...rest } = values
  const isWrong = (hasHours && weekProblems(hours).some(Boolean)) || rest.specialDays.some(({ intervals }) => intervalsProblem(intervals))
  const checked = await check({ ...rest, hours: hasHours ? hours : null }, context, options as never)
  if (!isWrong) return checked as never
  return { values: {}, errors: { ...checked.errors, hours: { type: 'validate', message: 'Some of the hours need a look.' } } as never }
}
