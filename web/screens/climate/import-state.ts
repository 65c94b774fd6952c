import type { ClimateSensor } from '#contracts/climate.endpoints.ts'
import {
  type DateOrder,
  guessMapping,
  hasDates,
  type Mapping,
  orderOf,
  type SensorField,
  type SensorTable,
  temperatureUnit,
} from './sensor-table.ts'

export type Settings = {
  mapping: (SensorField | null)[]
  /** Maps the entities of Home Assistant's history. */
  entities: Chosen
  order: DateOrder | null
  temperature: 'C' | 'F' | null
  timeZone: string
  sensorName: string
  /** Whether the file itself specifies it; otherwise the person is asked. */
  isOrderKnown: boolean
  isTemperatureKnown: boolean
}

export function firstSettings(table: SensorTable, fileName: string, sensors: readonly ClimateSensor[]): Settings {
  const mapping = guessMapping(table.header)
  const entities = table.isLong ? guessEntities(entitiesOf(table).names) : { air: '', humidity: '', leaf: '', co2: '' }
  const timeAt = mapping.indexOf(mapping.includes('date') ? 'date' : 'time')
  const times = table.rows.map(({ cells }) => cells[timeAt] ?? '')
  const order = table.isLong || !hasDates(times) ? 'ymd' : orderOf(times)
  const temperature = temperatureUnit(table.header[mapping.indexOf('air')] ?? '')
  return {
    mapping,
    entities,
    order,
    temperature,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    sensorName:
      sensors.length === 1
        ? (sensors[0]?.name ?? '')
        : fileName
            .replace(/\.[a-z]+$/i, '')
            .replace(/[_-]+/g, ' ')
            .trim()
            .slice(0, 80),
    isOrderKnown: order !== null,
    isTemperatureKnown: temperature !== null,
  }
}

/** The table to read: converts Home Assistant's long format to wide. */
export const tableOf = (table: SensorTable, { mapping, entities }: Settings): { table: SensorTable; mapping: Mapping } =>
  table.isLong ? { table: widened(table, entities), mapping: widenedMapping } : { table, mapping }

export const hasAll = ({ mapping, entities, order, temperature }: Settings, isLong: boolean): boolean =>
  order !== null &&
  temperature !== null &&
  (isLong
    ? entities.air !== '' && entities.humidity !== ''
    : (['time', 'air', 'humidity'] as const).every((field) => mapping.includes(field)))

export type Entities = { time: number; entity: number; state: number; names: string[] }

export function entitiesOf({ header, rows }: SensorTable): Entities {
  const at = (name: string) => header.findIndex((each) => each.trim().toLowerCase() === name)
  const entity = at('entity_id')
  const time = at('last_changed') === -1 ? at('last_updated') : at('last_changed')
  return { time, entity, state: at('state'), names: [...new Set(rows.map(({ cells }) => cells[entity] ?? ''))].sort() }
}

type Chosen = { air: string; humidity: string; leaf: string; co2: string }

/** Guesses by name; empty if none matches. */
export function guessEntities(names: readonly string[]): Chosen {
  const find = (is: RegExp, not?: RegExp) => names.find((name) => is.test(name) && !not?.test(name)) ?? ''
  return {
    air: find(/temp/i, /dew|leaf|soil|water|outdoor/i),
    humidity: find(/humid|_rh\b/i, /soil|absolute/i),
    leaf: find(/leaf.*temp|temp.*leaf/i),
    co2: find(/co2|carbon_dioxide/i),
  }
}

/** In milliseconds. Older values say nothing about now: the sensor may have been offline. */
const holdsFor = 6 * 60 * 60 * 1000

/**
 * Converts to a table with one row per change of temperature or humidity. Home Assistant records only changes, so the other value
 * is carried forward.
 */
export function widened(table: SensorTable, chosen: Chosen): SensorTable {
  const { time, entity, state } = entitiesOf(table)
  const fields = ['air', 'humidity', 'leaf', 'co2'] as const
  const last: Partial<Record<(typeof fields)[number], { text: string; at: number }>> = {}
  const changes = table.rows
    .map(({ line, cells }) => ({
      line,
      text: cells[time] ?? '',
      at: Date.parse(cells[time] ?? ''),
      name: cells[entity] ?? '',
      state: cells[state] ?? '',
    }))
    .filter(({ at }) => !Number.isNaN(at))
    .sort((a, b) => a.at - b.at)
  const rows: SensorTable['rows'] = []
  for (const { line, text, at, name, state: said } of changes) {
    const field = fields.find((each) => chosen[each] === name)
    if (!field || chosen[field] === '') continue
    if (/^(unknown|unavailable|)$/i.test(said)) {
      delete last[field]
      continue
    }
    last[field] = { text: said, at }
    const valuesOf = (each: (typeof fields)[number]) => {
      const value = last[each]
      return value && at - value.at <= holdsFor ? value.text : ''
    }
    if (valuesOf('air') !== '' && valuesOf('humidity') !== '') rows.push({ line, cells: [text, ...fields.map(valuesOf)] })
  }
  return { header: ['last_changed', ...fields], rows, isLong: false }
}

/** Mapping for tables returned by `widened`. */
export const widenedMapping = ['time', 'air', 'humidity', 'leaf', 'co2'] as const
