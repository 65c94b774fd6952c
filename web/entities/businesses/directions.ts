import type { Business } from '#contracts/businesses.ts'
import { createStore, deviceItem } from '#web/lib/store.ts'

/** `device` opens the device's maps app, or OpenStreetMap where links can't open an app. */
export type MapSite = 'device' | 'apple' | 'google' | 'openstreetmap'

export const mapSiteLabels: Record<MapSite, string> = {
  device: 'Default maps app',
  apple: 'Apple Maps',
  google: 'Google Maps',
  openstreetmap: 'OpenStreetMap',
}

type Destination = Pick<Business, 'name' | 'address' | 'location' | 'zip' | 'pin'>

/** Null without a street, because a city isn't a destination. */
export const wholeAddress = ({ address, location, zip }: Omit<Destination, 'name' | 'pin'>): string | null =>
  address && [address, [location, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')

type Platform = 'android' | 'apple' | 'other'

const platformOf = (agent: string): Platform =>
  /android/i.test(agent) ? 'android' : /iphone|ipad|macintosh/i.test(agent) ? 'apple' : 'other'

/**
 * Null without an exact destination. Uses the pin only if it marks the building itself. Only Android opens `geo:` links (RFC 5870); Apple's
 * devices open maps.apple.com in their app.
 */
export function directionsUrl(business: Destination, site: MapSite, agent: string): string | null {
  const point = business.pin?.precision === 'premise' ? `${business.pin.latitude},${business.pin.longitude}` : null
  const address = wholeAddress(business)
  const target = address ?? point
  if (!target) return null
  const platform = platformOf(agent)
  if (site === 'device' && platform === 'android') {
    const label = address ? `${business.name}, ${address}` : `${point} (${business.name})`
    return `geo:${point ?? '0,0'}?q=${encodeURIComponent(label)}`
  }
  if (site === 'apple' || (site === 'device' && platform === 'apple'))
    return `https://maps.apple.com/?${new URLSearchParams({ daddr: target })}`
  if (site === 'google') return `https://www.google.com/maps/dir/?${new URLSearchParams({ api: '1', destination: target })}`
  return point
    ? `https://www.openstreetmap.org/directions?${new URLSearchParams({ to: point })}`
    : `https://www.openstreetmap.org/search?${new URLSearchParams({ query: target })}`
}

const item = deviceItem('map-site')

function storedSite(): MapSite {
  const stored = item.get()
  return stored && stored in mapSiteLabels ? (stored as MapSite) : 'device'
}

export const mapSite = createStore<MapSite>(storedSite())

export function chooseMapSite(site: MapSite): void {
  mapSite.set(site)
  item.set(site)
}
