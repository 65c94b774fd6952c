import { getLocale, localTimeZone } from './format.ts'

/** The server's value for a zone that hasn't been chosen. Choosing UTC stores `Etc/UTC`. */
const unchosen = 'UTC'
const universal = 'Etc/UTC'

export function deviceTimeZone(): string {
  const zone = localTimeZone()
  return zone === unchosen ? universal : zone
}

/** The saved zone, otherwise the device's. */
export const chosenTimeZone = (saved: string): string => (saved === unchosen ? deviceTimeZone() : saved)

type Zones = { ofCountry: string[]; others: string[] }

/** All zones known to the browser and `current`, sorted by name, with those of the person's country separate. */
export function timeZones(current: string): Zones {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), universal, deviceTimeZone(), current])
  zones.delete(unchosen)
  const ofCountry = new Set(zonesOfCountry())
  const sorted = [...zones].map((zone) => ({ zone, name: zoneName(zone) })).sort((a, b) => a.name.localeCompare(b.name, 'en'))
  const select = (isOurs: boolean) => sorted.filter(({ zone }) => ofCountry.has(zone) === isOurs).map(({ zone }) => zone)
  return { ofCountry: select(true), others: select(false) }
}

/** Empty in browsers that don't know. */
function zonesOfCountry(): string[] {
  const locale: Intl.Locale & { getTimeZones?: () => string[] | undefined; timeZones?: string[] } = new Intl.Locale(getLocale())
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}

const names = new Map<string, string>()

/** "America/Denver" → "Mountain Time (Denver)". Cached, because formatting all of them takes a while. */
export function zoneName(zone: string): string {
  const name = names.get(zone) ?? nameZone(zone)
  names.set(zone, name)
  return name
}

function nameZone(zone: string): string {
  const [area = zone, ...place] = zone.replaceAll('_', ' ').split('/')
  if (area === 'Etc') return place.join(', ')
  const city = place.length > 0 ? place.toReversed().join(', ') : area
  const name = genericName(zone)
  return name ? `${name} (${city})` : city
}

/** "Mountain Time". Null for a zone that the browser doesn't know, or knows only by its offset or city. */
function genericName(zone: string): string | null {
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts(0)
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    return /^GMT|^UTC/.test(name) || name === '' ? null : name
  } catch {
    return null
  }
}
