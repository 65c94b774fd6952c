import type { ClimateSensor } from '#contracts/climate.ts'
import { type Chosen, entitiesOf, guessEntities, widened, widenedMapping } from './long-history.ts'
import type { SensorTable } from './sensor-table.ts'
import { guessMapping, type Mapping, type SensorField, temperatureUnit } from './sensor-table.ts'
import { type DateOrder, hasDates, orderOf } from './sensor-times.ts'

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
