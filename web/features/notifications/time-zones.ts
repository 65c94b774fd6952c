/** The server's word for a zone that nobody has chosen yet. Who means it chooses `Etc/UTC`. */
const unchosen = 'UTC'
const universal = 'Etc/UTC'

/** The device's own. */
export function deviceTimeZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone === unchosen ? universal : zone
}

/** The zone that was saved, or the device's while none was. */
export const chosenTimeZone = (saved: string): string => (saved === unchosen ? deviceTimeZone() : saved)

/** All that this browser knows, with `current` among them whatever it is. */
export function timeZones(current: string): string[] {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), universal, deviceTimeZone(), current])
  zones.delete(unchosen)
  return [...zones].sort()
}

/** "America/Denver" → "Denver, America": the city first, as one looks for it. */
export function zoneName(zone: string): string {
  const [area = zone, ...place] = zone.replaceAll('_', ' ').split('/')
  if (area === 'Etc') return place.join(', ')
  return place.length > 0 ? `${place.toReversed().join(', ')}, ${area}` : area
}
