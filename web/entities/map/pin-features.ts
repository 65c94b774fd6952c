import type { Feature, FeatureCollection, Point } from 'geojson'
import type { MapPin } from './types.ts'

/** Minimal data for the worker; `at` leads back to the full pin. */
export type PinProperties = {
  at: number
  count: number
  name: string
  /** Located at the center of a city or ZIP code rather than at a building. */
  rough: boolean
}

export type PinFeature = Feature<Point, PinProperties>

export function pinFeatures(pins: readonly MapPin[]): FeatureCollection<Point, PinProperties> {
  return { type: 'FeatureCollection', features: pins.map(pinFeature) }
}

export function pinFeature(pin: MapPin, at: number): PinFeature {
  return {
    type: 'Feature',
    properties: { at, count: pin.count, name: pin.name ?? '', rough: pin.precision === 'city' || pin.precision === 'zip' },
    geometry: { type: 'Point', coordinates: [pin.longitude, pin.latitude] },
  }
}

/** Whether two responses have the same pins, as is common when zooming out on the same search. */
export function arePinsSame(some: readonly MapPin[], others: readonly MapPin[]): boolean {
  if (some.length !== others.length) return false
  return some.every((pin, at) => {
    const other = others[at] as MapPin
    return (Object.keys(pin) as (keyof MapPin)[]).every((key) => pin[key] === other[key])
  })
}

/** A single business rather than a counted cell. */
export function isBusiness(pin: MapPin): pin is MapPin & { slug: string; name: string } {
  return pin.count === 1 && pin.slug !== null && pin.name !== null
}

export function byName(pins: readonly MapPin[]): MapPin[] {
  return pins.toSorted((a, b) => collator.compare(a.name ?? '', b.name ?? ''))
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
