import { CsvError, parse } from 'csv-parse/browser/esm/sync'

/** Its message says why the file can't be read. */
export class SensorFileRefused extends Error {
  override readonly name = 'SensorFileRefused'
}

/** `line` counts from 1 and includes empty lines, as spreadsheets do. */
export type SensorTable = { header: string[]; rows: { line: number; cells: string[] }[]; isLong: boolean }

export const maxSensorFileBytes = 32 * 1024 * 1024
const maxRecordLength = 100_000

/** Parses a sensor's export: UTF-8, UTF-16 or Windows-1252, separated by commas, semicolons or tabs. @throws SensorFileRefused */
export function readSensorTable(bytes: Uint8Array): SensorTable {
  if (bytes.length > maxSensorFileBytes) throw new SensorFileRefused('A file can have at most 32 MB. Export a shorter time.')
  const records = recordsOf(decode(bytes))
  const at = isLongHistory(records[0] ?? []) ? 0 : findHeader(records)
  const header = records[at] ?? []
  if (header.length < 2)
    throw new SensorFileRefused('This file has no table of readings. Export the sensor’s history as CSV and choose that file.')
  const rows = records
    .slice(at + 1)
    .map((cells, nth) => ({ line: at + nth + 2, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (rows.length === 0) throw new SensorFileRefused('The file has a header but no readings.')
  return { header, rows, isLong: isLongHistory(header) }
}

function recordsOf(text: string): string[][] {
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: maxRecordLength,
      skip_empty_lines: false,
      trim: true,
    }) as string[][]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new SensorFileRefused('This CSV file can’t be read. Export the sensor’s history as CSV and choose that file.')
  }
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.subarray(0, 4096).includes(0))
    throw new SensorFileRefused('This isn’t a text file. Excel files aren’t supported. Save it as CSV.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The delimiter most frequent in most of the first lines, outside quotes. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split(/\r\n|\n|\r/)
    .slice(0, 30)
  const countOf = (delimiter: string) => lines.reduce((sum, line) => sum + line.replace(/"[^"]*"/g, '').split(delimiter).length - 1, 0)
  return [';', '\t', ','].reduce((best, each) => (countOf(each) > countOf(best) ? each : best))
}

export const sensorFields = ['time', 'date', 'air', 'humidity', 'leaf', 'co2'] as const
export type SensorField = (typeof sensorFields)[number]
export type Mapping = readonly (SensorField | null)[]

export const fieldNames: Record<SensorField, string> = {
  time: 'Time, or date and time',
  date: 'Date, if separate from the time',
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
 * Matches words used in headers: “Timestamp for sample frequency every 15 min min, Temperature_Celsius, Relative_Humidity” (Govee Home),
 * “Time, Temperature (Outside), Relative Humidity (Outside), VPD (Outside)” (AC Infinity), “last_changed” (Home Assistant), “Timestamp”,
 * “Temperature (°F)”, “Humidity (%)” elsewhere. Excludes computed values (dew point, VPD, heat index) and measurements of water or soil.
 * The person can correct the mapping before importing.
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
  // A lone “Date” column contains the time, too.
  return taken.has('time') || !taken.has('date') ? mapping : mapping.map((field) => (field === 'date' ? 'time' : field))
}

/** Unit named in the header; null if there is none. */
export function temperatureUnit(name: string): 'C' | 'F' | null {
  const text = plain(name)
  if (/°\s?f\b|\(f\)|fahrenheit|\[f\]|,\s*f$|℉/.test(text)) return 'F'
  if (/°\s?c\b|\(c\)|celsius|\[c\]|,\s*c$|℃/.test(text)) return 'C'
  return null
}

/** The first row with a time and a measurement; some apps write device information above it. */
function findHeader(rows: readonly (readonly string[])[]): number {
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

/** Home Assistant's history: one row per change of an entity. */
const isLongHistory = (header: readonly string[]): boolean => {
  const names = header.map((name) => name.trim().toLowerCase())
  return names.includes('entity_id') && names.includes('state') && (names.includes('last_changed') || names.includes('last_updated'))
}
