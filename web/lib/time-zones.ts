import { getLocale, localTimeZone } from './format.ts'

/** The server's default. People who choose UTC get `Etc/UTC`. */
const unchosen = 'UTC'
const universal = 'Etc/UTC'

export function deviceTimeZone(): string {
  const zone = localTimeZone()
  return zone === unchosen ? universal : zone
}

export const chosenTimeZone = (saved: string): string => (saved === unchosen ? deviceTimeZone() : saved)

type Zones = { ofCountry: string[]; others: string[] }

/** Includes `current` and all zones that the browser supports. Sorted by name, and separated into the person's country and the rest. */
export function timeZones(current: string): Zones {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), universal, deviceTimeZone(), current])
  zones.delete(unchosen)
  const ofCountry = new Set(zonesOfCountry())
  const sorted = [...zones].map((zone) => ({ zone, name: zoneName(zone) })).sort((a, b) => a.name.localeCompare(b.name, 'en'))
  const select = (isOurs: boolean) => sorted.filter(({ zone }) => ofCountry.has(zone) === isOurs).map(({ zone }) => zone)
  return { ofCountry: select(true), others: select(false) }
}

/** Empty if the browser lacks this data. */
function zonesOfCountry(): string[] {
  const locale: Intl.Locale & { getTimeZones?: () => string[] | undefined; timeZones?: string[] } = new Intl.Locale(getLocale())
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}

const names = new Map<string, string>()

/** "America/Denver" → "Mountain Time (Denver)". Cached, because formatting all of them is slow. */
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

/** "Mountain Time". Null if the browser doesn't support the zone or has only an offset for it. */
function genericName(zone: string): string | null {
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts(0)
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    return /^GMT|^UTC/.test(name) || name === '' ? null : name
  } catch {
    return null
  }
}
