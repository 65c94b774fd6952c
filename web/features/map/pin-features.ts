import type { Feature, FeatureCollection, Point } from 'geojson'
import type { MapPin } from './types.ts'

/** What the worker keeps of a pin: enough to draw it. Its number leads back to the rest. */
export type PinProperties = {
  /** Place in the list of pins. */
  at: number
  /** Businesses that it stands for. */
  count: number
  name: string
  /** The coordinate is the center of a city or ZIP code, not of a building. */
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

/** Whether two answers put the same on the map: a wider view of the same search often does. */
export function arePinsSame(some: readonly MapPin[], others: readonly MapPin[]): boolean {
  if (some.length !== others.length) return false
  return some.every((pin, at) => {
    const other = others[at] as MapPin
    return (Object.keys(pin) as (keyof MapPin)[]).every((key) => pin[key] === other[key])
  })
}

/** A business of its own: not a counted cell. */
export function isBusiness(pin: MapPin): pin is MapPin & { slug: string; name: string } {
  return pin.count === 1 && pin.slug !== null && pin.name !== null
}

/** For the list of those that share a place: by name, as a person would look one up. */
export function byName(pins: readonly MapPin[]): MapPin[] {
  return pins.toSorted((a, b) => collator.compare(a.name ?? '', b.name ?? ''))
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
