/** The server's value for a zone that hasn't been chosen. Choosing UTC stores `Etc/UTC`. */
const unchosen = 'UTC'
const universal = 'Etc/UTC'

export function deviceTimeZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone === unchosen ? universal : zone
}

/** The saved zone, otherwise the device's. */
export const chosenTimeZone = (saved: string): string => (saved === unchosen ? deviceTimeZone() : saved)

/** All zones known to the browser, always including `current`. */
export function timeZones(current: string): string[] {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), universal, deviceTimeZone(), current])
  zones.delete(unchosen)
  return [...zones].sort()
}

/** "America/Denver" → "Denver, America", with the city first for lookup. */
export function zoneName(zone: string): string {
  const [area = zone, ...place] = zone.replaceAll('_', ' ').split('/')
  if (area === 'Etc') return place.join(', ')
  return place.length > 0 ? `${place.toReversed().join(', ')}, ${area}` : area
}
