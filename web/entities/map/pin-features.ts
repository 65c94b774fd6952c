import type { Feature, FeatureCollection, Point } from 'geojson'
import type { MapPin, ShownPin } from './types.ts'

/** Only what the worker needs; `at` leads back to the full pin. */
export type PinProperties = {
  at: number
  count: number
  name: string
  /** True if the pin is at the center of a city or ZIP code rather than at a building. */
  rough: boolean
  hours: 'open' | 'closed' | 'unknown' | 'notShown'
}

export type PinFeature = Feature<Point, PinProperties>

export function pinFeatures(pins: readonly ShownPin[]): FeatureCollection<Point, PinProperties> {
  return { type: 'FeatureCollection', features: pins.map(pinFeature) }
}

export function pinFeature(pin: ShownPin, at: number): PinFeature {
  return {
    type: 'Feature',
    properties: {
      at,
      count: pin.count,
      name: pin.name ?? '',
      rough: pin.precision === 'city' || pin.precision === 'zip',
      hours: hoursOf(pin),
    },
    geometry: { type: 'Point', coordinates: [pin.longitude, pin.latitude] },
  }
}

function hoursOf({ isOpen }: ShownPin): PinProperties['hours'] {
  if (isOpen === undefined) return 'notShown'
  if (isOpen === null) return 'unknown'
  return isOpen ? 'open' : 'closed'
}

/** After `changesAt`, a pin's state is inverted. */
export function pinsAt(pins: readonly MapPin[], now: number): ShownPin[] {
  return pins.map(({ openNow, ...pin }) => ({ ...pin, isOpen: openNow ? isOpenAt(openNow, now) : openNow }))
}

const isOpenAt = ({ isOpen, changesAt }: NonNullable<MapPin['openNow']>, now: number) =>
  changesAt !== null && Date.parse(changesAt) <= now ? !isOpen : isOpen

export function arePinsSame(some: readonly ShownPin[], others: readonly ShownPin[]): boolean {
  if (some.length !== others.length) return false
  return some.every((pin, at) => {
    const other = others[at] as ShownPin
    return (Object.keys(pin) as (keyof ShownPin)[]).every((key) => pin[key] === other[key])
  })
}

export function isBusiness<Pin extends Pick<MapPin, 'count' | 'slug' | 'name'>>(pin: Pin): pin is Pin & { slug: string; name: string } {
  return pin.count === 1 && pin.slug !== null && pin.name !== null
}

export function byName<Pin extends Pick<MapPin, 'name'>>(pins: readonly Pin[]): Pin[] {
  return pins.toSorted((a, b) => collator.compare(a.name ?? '', b.name ?? ''))
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
