import { toCelsius } from '#web/lib/units.ts'
import { type DateOrder, type Mapping, readTime, type SensorField, type SensorTable, toUtc } from './sensor-table.ts'

export type ReadingSettings = {
  mapping: Mapping
  order: DateOrder
  /** For times without an offset. */
  timeZone: string
  temperature: 'C' | 'F'
}

/** Columnar, as the API expects. */
export type Readings = {
  at: number[]
  airCelsius: number[]
  humidityPercent: number[]
  leafCelsius: (number | null)[]
  co2Ppm: (number | null)[]
}

export type ReadResult = {
  readings: Readings
  problems: { line: number; message: string }[]
  /** `skipped` and `repeated` count readings in the whole file; see `toUtc`. */
  skipped: number
  repeated: number
  hasLocalTimes: boolean
}

/** Accepts a decimal point or comma and an optional unit. Null for texts such as "unavailable"; NaN if invalid. */
export function readFigure(text: string): number | null {
  const plain = text.replace(/[\s\u00a0\u202f]/g, '').replace(/(°?[cf]|℃|℉|%|%rh|ppm)$/i, '')
  if (plain === '' || /^(-+|n\/?a|null|none|unknown|unavailable)$/i.test(plain)) return null
  if (/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain) && !/^-?\d{1,2},\d{3}$/.test(plain)) return Number(plain.replaceAll(',', ''))
  return /^-?\d*[.,]?\d+$/.test(plain) ? Number(plain.replace(',', '.')) : Number.NaN
}

const bounds: Record<'air' | 'humidity' | 'leaf' | 'co2', { low: number; high: number; name: string }> = {
  air: { low: -40, high: 60, name: 'Air temperature' },
  humidity: { low: 0, high: 100, name: 'Humidity' },
  leaf: { low: -40, high: 60, name: 'Leaf temperature' },
  co2: { low: 0, high: 100_000, name: 'CO₂' },
}

/** Air has hundreds of ppm of CO₂, so the mark in “1,250” and “1.250” separates thousands. */
const thousandPpm = /^(\d{1,2})[.,](\d{3})(?=\D*$)/

type Row = {
  line: number
  time: { utc: number } | { local: number }
  air: number
  humidity: number
  leaf: number | null
  co2: number | null
}

const maxSensorName = 80

/** One table per sensor, if a column names them. Rows without a name belong to `usualName`. */
export function bySensor(table: SensorTable, mapping: Mapping, usualName: string): { sensorName: string; table: SensorTable }[] {
  const column = mapping.indexOf('sensor')
  if (column === -1) return [{ sensorName: usualName, table }]
  const groups = Map.groupBy(table.rows, ({ cells }) => cells[column]?.trim().slice(0, maxSensorName) || usualName)
  return [...groups].map(([sensorName, rows]) => ({ sensorName, table: { ...table, rows } }))
}

/** Splits readings that exceed the limit of one import. */
export function inParts(readings: Readings, size: number): Readings[] {
  const parts = Math.ceil(readings.at.length / size)
  return Array.from({ length: parts }, (_, part) => {
    const column = <T>(values: readonly T[]) => values.slice(part * size, (part + 1) * size)
    return {
      at: column(readings.at),
      airCelsius: column(readings.airCelsius),
      humidityPercent: column(readings.humidityPercent),
      leafCelsius: column(readings.leafCelsius),
      co2Ppm: column(readings.co2Ppm),
    }
  })
}

/** For a preview of the whole file. */
export function joined(results: readonly ReadResult[]): ReadResult {
  const column = <K extends keyof Readings>(key: K) => results.flatMap(({ readings }) => readings[key] as Readings[K][number][])
  return {
    readings: {
      at: column('at'),
      airCelsius: column('airCelsius'),
      humidityPercent: column('humidityPercent'),
      leafCelsius: column('leafCelsius'),
      co2Ppm: column('co2Ppm'),
    } as Readings,
    problems: results.flatMap(({ problems }) => problems).sort((a, b) => a.line - b.line),
    skipped: results.reduce((sum, { skipped }) => sum + skipped, 0),
    repeated: results.reduce((sum, { repeated }) => sum + repeated, 0),
    hasLocalTimes: results.some(({ hasLocalTimes }) => hasLocalTimes),
  }
}

/** Converts times to UTC and temperatures to Celsius. Reports invalid rows by line. */
export function readReadings(table: SensorTable, settings: ReadingSettings): ReadResult {
  const problems: ReadResult['problems'] = []
  const rows: Row[] = []
  const column = (field: SensorField) => settings.mapping.indexOf(field)
  const [time, date, air, humidity, leaf, co2] = [
    column('time'),
    column('date'),
    column('air'),
    column('humidity'),
    column('leaf'),
    column('co2'),
  ]
  for (const { line, cells } of table.rows) {
    const cell = (index: number) => (index === -1 ? '' : (cells[index] ?? ''))
    const written = readTime(date === -1 ? cell(time) : `${cell(date)} ${cell(time)}`, settings.order)
    if (!written) {
      problems.push({ line, message: `“${cell(date === -1 ? time : date)}” isn’t a date and time` })
      continue
    }
    const figures = {
      air: figure('air', cell(air)),
      humidity: figure('humidity', cell(humidity)),
      leaf: figure('leaf', cell(leaf)),
      co2: figure('co2', cell(co2)),
    }
    const wrong = Object.values(figures).find((each) => typeof each === 'string')
    if (typeof wrong === 'string') problems.push({ line, message: wrong })
    else if (figures.air === null || figures.humidity === null) {
      problems.push({ line, message: figures.air === null ? 'No air temperature' : 'No humidity' })
    } else rows.push({ line, time: written, ...(figures as { air: number; humidity: number; leaf: number | null; co2: number | null }) })
  }
  return { ...inUtc(rows, settings.timeZone), problems }

  function figure(field: keyof typeof bounds, text: string): number | null | string {
    const value = readFigure(field === 'co2' ? text.trim().replace(thousandPpm, '$1$2') : text)
    if (value === null) return null
    const { low, high, name } = bounds[field]
    if (Number.isNaN(value)) return `${name}: “${text}” isn’t a number`
    const isFahrenheit = settings.temperature === 'F' && (field === 'air' || field === 'leaf')
    const inSi = isFahrenheit ? Math.round(toCelsius(value) * 100) / 100 : value
    return inSi < low || inSi > high ? `${name}: ${text} isn’t possible` : inSi
  }
}

function inUtc(rows: readonly Row[], timeZone: string): Omit<ReadResult, 'problems'> {
  const local = rows.flatMap(({ time }) => ('local' in time ? [time.local] : []))
  const zoned = toUtc(local, timeZone)
  let nth = 0
  const at = rows.map(({ time }) => Math.floor(('utc' in time ? time.utc : (zoned.utc[nth++] as number)) / 1000))
  return {
    readings: {
      at,
      airCelsius: rows.map((row) => row.air),
      humidityPercent: rows.map((row) => row.humidity),
      leafCelsius: rows.map((row) => row.leaf),
      co2Ppm: rows.map((row) => row.co2),
    },
    skipped: zoned.skipped,
    repeated: zoned.repeated,
    hasLocalTimes: local.length > 0,
  }
}
