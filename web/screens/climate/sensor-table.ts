import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { decodeText, unguardCell } from '#contracts/csv.ts'
import { dayMs, minuteMs } from '#contracts/time.ts'

/** The message explains why the file can't be read. */
export class SensorFileRefused extends Error {
  override readonly name = 'SensorFileRefused'
}

/** `line` counts from 1 and includes empty lines, as spreadsheets do. */
export type SensorTable = { header: string[]; rows: { line: number; cells: string[] }[]; isLong: boolean }

export const maxSensorFileBytes = 32 * 1024 * 1024
const maxRecordLength = 100_000

/** Reads UTF-8, UTF-16 or Windows-1252 text with columns separated by commas, semicolons or tabs. @throws SensorFileRefused */
export function readSensorTable(bytes: Uint8Array): SensorTable {
  if (bytes.length > maxSensorFileBytes)
    throw new SensorFileRefused('A file can be up to 32 MB. Export a shorter period, or one sensor at a time.')
  const text = decodeText(bytes)
  if (text === null) throw new SensorFileRefused('This isn’t a text file. Excel files aren’t supported. Save it as CSV.')
  const records = recordsOf(text)
  const at = isLongHistory(records[0] ?? []) ? 0 : findHeader(records)
  const header = records[at] ?? []
  if (header.length < 2)
    throw new SensorFileRefused('This file doesn’t contain a table of readings. Export the sensor’s history as CSV and choose that file.')
  const rows = records
    .slice(at + 1)
    .map((cells, nth) => ({ line: at + nth + 2, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (rows.length === 0) throw new SensorFileRefused('The file has a header but no readings.')
  return { header, rows, isLong: isLongHistory(header) }
}

function recordsOf(text: string): string[][] {
  try {
    const records = parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: maxRecordLength,
      skip_empty_lines: false,
      trim: true,
    }) as string[][]
    return records.map((cells) => cells.map(unguardCell))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new SensorFileRefused('This CSV file can’t be read. Export the sensor’s history as CSV and choose that file.')
  }
}

/** Picks the candidate that is most frequent outside quotes in the first 30 lines. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split(/\r\n|\n|\r/)
    .slice(0, 30)
  const countOf = (delimiter: string) => lines.reduce((sum, line) => sum + line.replace(/"[^"]*"/g, '').split(delimiter).length - 1, 0)
  return [';', '\t', ','].reduce((best, each) => (countOf(each) > countOf(best) ? each : best))
}

export const sensorFields = ['time', 'date', 'air', 'humidity', 'leaf', 'co2', 'sensor'] as const
export type SensorField = (typeof sensorFields)[number]
export type Mapping = readonly (SensorField | null)[]

export const fieldNames: Record<SensorField, string> = {
  time: 'Time, or date and time',
  date: 'Date, if separate from the time',
  air: 'Air temperature',
  humidity: 'Relative humidity',
  leaf: 'Leaf temperature',
  co2: 'CO₂',
  sensor: 'Sensor’s name, if there are several',
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
 * People can correct the mapping before importing.
 */
const words: readonly { field: SensorField; is: RegExp; not?: RegExp }[] = [
  {
    field: 'time',
    is: /^(time|timestamp|date ?\/? ?time|datetime|created at|last changed|last updated|observed|recorded at)\b|^(timestamp|date and time|date & time)|^date\/time/,
  },
  { field: 'date', is: /^date$/ },
  { field: 'sensor', is: /^sensor( name)?$/ },
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
  // A lone “Date” column also contains the time.
  return taken.has('time') || !taken.has('date') ? mapping : mapping.map((field) => (field === 'date' ? 'time' : field))
}

export function temperatureUnit(name: string): 'C' | 'F' | null {
  const text = plain(name)
  if (/°\s?f\b|\(f\)|fahrenheit|\[f\]|,\s*f$|℉/.test(text)) return 'F'
  if (/°\s?c\b|\(c\)|celsius|\[c\]|,\s*c$|℃/.test(text)) return 'C'
  return null
}

/** Finds the first row that names a time and a measurement, because some apps write device information above the header. */
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

/** In Home Assistant's history, each row is a change in one entity's state. */
const isLongHistory = (header: readonly string[]): boolean => {
  const names = header.map((name) => name.trim().toLowerCase())
  return names.includes('entity_id') && names.includes('state') && (names.includes('last_changed') || names.includes('last_updated'))
}

export type DateOrder = 'ymd' | 'mdy' | 'dmy'

/** In milliseconds. `utc` had an offset or was an epoch; `local` is wall-clock time as if it were UTC. */
export type WrittenTime = { utc: number } | { local: number }

/** Some apps write a narrow space before AM and PM. */
const space = /[\s\u00a0\u202f]+/g
const dated =
  /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})(?:,? |T|,)?(?:(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)? ?([ap]\.?m\.?)? ?(z|utc|gmt|[+-]\d{2}:?\d{2})?$/i
const epoch = /^\d{10}(?:\d{3})?(?:\.\d+)?$/

/** Null if the times don't reveal the order. */
export function orderOf(texts: Iterable<string>): DateOrder | null {
  let order: DateOrder | null = null
  for (const text of texts) {
    const [, first = '', second = ''] = dated.exec(text.replace(space, ' ').trim()) ?? []
    if (first.length === 4) return 'ymd'
    if (Number(first) > 12) order = 'dmy'
    if (Number(second) > 12) order = 'mdy'
    if (order) return order
  }
  return order
}

export const hasDates = (texts: Iterable<string>): boolean => {
  for (const text of texts) if (dated.test(text.replace(space, ' ').trim())) return true
  return false
}

export function readTime(text: string, order: DateOrder): WrittenTime | null {
  const plain = text.replace(space, ' ').trim()
  if (epoch.test(plain)) return { utc: Math.round(Number(plain) * (/^\d{13}/.test(plain) ? 1 : 1000)) }
  const parts = dated.exec(plain)
  if (!parts) return null
  const [, a = '', b = '', c = '', hours = '0', minutes = '0', seconds = '0', half, zone] = parts
  const [years, month, day] = a.length === 4 ? [a, b, c] : order === 'mdy' ? [c, a, b] : order === 'dmy' ? [c, b, a] : [a, b, c]
  const year = Number(years) + (years?.length === 2 ? 2000 : 0)
  const hour = hourOf(Number(hours), half)
  if (hour === null || Number(minutes) > 59 || Number(seconds) > 59 || years?.length === 3) return null
  const local = Date.UTC(year, Number(month) - 1, Number(day), hour, Number(minutes), Number(seconds))
  const made = new Date(local)
  // Reject dates such as February 30 or month 13.
  if (made.getUTCMonth() !== Number(month) - 1 || made.getUTCDate() !== Number(day) || year < 1970 || year > 2099) return null
  if (zone === undefined) return { local }
  return { utc: local - offsetOf(zone) }
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour <= 23 ? hour : null
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0)
}

function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? []
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs
}

/** In milliseconds. Cached per quarter hour, because transitions fall on quarter hours. */
function offsetsOf(timeZone: string): (utc: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const known = new Map<number, number>()
  return (utc) => {
    const quarter = Math.floor(utc / quarterHour)
    let offset = known.get(quarter)
    if (offset === undefined) {
      const parts: Record<string, number> = {}
      for (const { type, value } of format.formatToParts(quarter * quarterHour)) if (type !== 'literal') parts[type] = Number(value)
      const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
      offset = Date.UTC(year, month - 1, day, hour, minute, second) - quarter * quarterHour
      known.set(quarter, offset)
    }
    return offset
  }
}

const quarterHour = 15 * minuteMs

export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

type ZonedTimes = {
  /** In input order, in milliseconds since 1970. */
  utc: number[]
  /** Number of readings at local times that don't exist because clocks went forward. They use the offset from before the change. */
  skipped: number
  /** Number of readings at local times that occurred twice when clocks went back. The order of the readings resolves them. */
  repeated: number
}

/**
 * Converts a logger's wall-clock times to UTC. Expects file order, oldest or newest first. In a repeated hour, picks the candidate that
 * continues the sequence, which is correct if readings are no further apart than the clock change (one hour almost everywhere).
 * @param local wall-clock times as if they were UTC, in milliseconds
 */
export function toUtc(local: readonly number[], timeZone: string): ZonedTimes {
  const offsetAt = offsetsOf(timeZone)
  const isNewestFirst = local.length > 1 && (local[0] as number) > (local.at(-1) as number)
  let skipped = 0
  let repeated = 0
  let before = Number.NaN
  const utc = local.map((time) => {
    const early = offsetAt(time - dayMs)
    const late = offsetAt(time + dayMs)
    // The larger offset gives the earlier moment.
    const offsets = early === late ? [early] : [Math.max(early, late), Math.min(early, late)]
    const fitting = offsets.map((offset) => time - offset).filter((moment, nth) => offsetAt(moment) === offsets[nth])
    const [first, second] = fitting
    let moment: number
    if (first === undefined) {
      skipped++
      moment = time - early
    } else if (second === undefined) moment = first
    else {
      repeated++
      if (isNewestFirst) moment = Number.isNaN(before) || second < before ? second : first
      else moment = Number.isNaN(before) || first > before ? first : second
    }
    before = moment
    return moment
  })
  return { utc, skipped, repeated }
}
