export const sensorFields = ['time', 'date', 'air', 'humidity', 'leaf', 'co2'] as const
export type SensorField = (typeof sensorFields)[number]
/** By column: what it is taken for, or null. */
export type Mapping = readonly (SensorField | null)[]

export const fieldNames: Record<SensorField, string> = {
  time: 'Time, or date and time',
  date: 'Date, where it stands beside the time',
  air: 'Air temperature',
  humidity: 'Relative humidity',
  leaf: 'Leaf temperature',
  co2: 'CO₂',
}

const plain = (header: string) =>
  header
    .toLowerCase()
    .replace(/[_\s\u00a0]+/g, ' ')
    .replace('₂', '2')
    .trim()

/**
 * By the words that headers use: “Timestamp for sample frequency every 15 min min, Temperature_Celsius, Relative_Humidity” (Govee Home),
 * “Time, Temperature (Outside), Relative Humidity (Outside), VPD (Outside)” (AC Infinity), “last_changed” (Home Assistant), “Timestamp”,
 * “Temperature (°F)”, “Humidity (%)” elsewhere. What is computed (dew point, VPD, heat index) and what is measured in water or soil is left
 * out; the person who imports sees it all and corrects it.
 */
const words: readonly { field: SensorField; is: RegExp; not?: RegExp }[] = [
  {
    field: 'time',
    is: /^(time|timestamp|date ?\/? ?time|datetime|created at|last changed|last updated|observed|recorded at)\b|^(timestamp|date and time|date & time)|^date\/time/,
  },
  { field: 'date', is: /^date$/ },
  { field: 'co2', is: /\bco2\b|carbon dioxide/ },
  { field: 'leaf', is: /leaf/, not: /vpd|wet|humid/ },
  { field: 'humidity', is: /humidity|\brh\b|\bhumid\b|^hum\b/, not: /vpd|absolute|soil/ },
  {
    field: 'air',
    is: /temp|°c|°f|celsius|fahrenheit/,
    not: /dew|water|soil|substrate|reservoir|heat index|feels|leaf|outdoor|max|min(?!ute)|humid|vpd/,
  },
]

export function guessMapping(header: readonly string[]): (SensorField | null)[] {
  const taken = new Set<SensorField>()
  const mapping = header.map((name) => {
    const text = plain(name)
    const found = words.find(({ field, is, not }) => !taken.has(field) && is.test(text) && !not?.test(text))?.field ?? null
    if (found) taken.add(found)
    return found
  })
  // A lone “Date” column holds the time, too.
  return taken.has('time') || !taken.has('date') ? mapping : mapping.map((field) => (field === 'date' ? 'time' : field))
}

/** As the header says it; null where it does not. */
export function temperatureUnit(name: string): 'C' | 'F' | null {
  const text = plain(name)
  if (/°\s?f\b|\(f\)|fahrenheit|\[f\]|,\s*f$|℉/.test(text)) return 'F'
  if (/°\s?c\b|\(c\)|celsius|\[c\]|,\s*c$|℃/.test(text)) return 'C'
  return null
}

/** The first row that names a time and something measured; some apps write about the device before it. */
export function findHeader(rows: readonly (readonly string[])[]): number {
  const found = rows.slice(0, 30).findIndex((cells) => {
    const mapping = guessMapping(cells)
    return mapping.includes('time') && (mapping.includes('air') || mapping.includes('humidity'))
  })
  if (found !== -1) return found
  return Math.max(
    0,
    rows.findIndex((cells) => cells.filter((cell) => cell !== '').length > 1),
  )
}

/** Home Assistant's history: a row for each change of one entity. */
export const isLongHistory = (header: readonly string[]): boolean => {
  const names = header.map((name) => name.trim().toLowerCase())
  return names.includes('entity_id') && names.includes('state') && (names.includes('last_changed') || names.includes('last_updated'))
}
