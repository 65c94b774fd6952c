import type { ClimateSensor } from '../../../contracts/climate.ts'
import { type Chosen, entitiesOf, guessEntities, widened, widenedMapping } from './long-history.ts'
import { guessMapping, type Mapping, type SensorField, temperatureUnit } from './sensor-columns.ts'
import type { SensorTable } from './sensor-table.ts'
import { type DateOrder, hasDates, orderOf } from './sensor-times.ts'

export type Settings = {
  mapping: (SensorField | null)[]
  /** Of Home Assistant's history, which entity is what. */
  entities: Chosen
  /** Null: the file does not say, and nobody has yet. */
  order: DateOrder | null
  temperature: 'C' | 'F' | null
  timeZone: string
  sensorName: string
  /** Whether the file itself says it; otherwise one is asked. */
  isOrderKnown: boolean
  isTemperatureKnown: boolean
}

/** What the file itself says, and the person's own zone. */
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

/** The table as its readings are read: a history of changes is made wide first. */
export const tableOf = (table: SensorTable, { mapping, entities }: Settings): { table: SensorTable; mapping: Mapping } =>
  table.isLong ? { table: widened(table, entities), mapping: widenedMapping } : { table, mapping }

/** Whether enough is known to read anything. */
export const hasAll = ({ mapping, entities, order, temperature }: Settings, isLong: boolean): boolean =>
  order !== null &&
  temperature !== null &&
  (isLong
    ? entities.air !== '' && entities.humidity !== ''
    : (['time', 'air', 'humidity'] as const).every((field) => mapping.includes(field)))
