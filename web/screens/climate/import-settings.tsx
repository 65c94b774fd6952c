import { useId, useState } from 'react'
import type { ClimateSensor } from '#contracts/climate.endpoints.ts'
import { hourMs } from '#contracts/time.ts'
import { Field, FieldGroup } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import {
  type DateOrder,
  fieldNames,
  guessMapping,
  hasDates,
  isTimeZone,
  type Mapping,
  orderOf,
  type SensorField,
  type SensorTable,
  sensorFields,
  temperatureUnit,
} from './sensor-table.ts'

type ImportSettingsProps = {
  table: SensorTable
  settings: Settings
  sensors: readonly ClimateSensor[]
  onChange: (change: Partial<Settings>) => void
}

const orders: Record<DateOrder, string> = { ymd: 'Year, month, day', mdy: 'Month, day, year', dmy: 'Day, month, year' }

export function ImportSettings({ table, settings, sensors, onChange }: ImportSettingsProps) {
  const { sensorName, timeZone, order, temperature, isOrderKnown, isTemperatureKnown } = settings
  /** `of` is the time zone that was set when `text` was typed. */
  const [typed, setTyped] = useState({ text: timeZone, of: timeZone, hasLeft: false })
  const zone = typed.of === timeZone ? typed.text : timeZone
  const listId = useId()
  const zonesId = useId()
  return (
    <div className="grid gap-5">
      {table.isLong ? (
        <Entities table={table} settings={settings} onChange={onChange} />
      ) : (
        <Columns table={table} settings={settings} onChange={onChange} />
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <Field
          label="Sensor"
          hint={
            settings.mapping.includes('sensor') ? 'For lines that don’t name a sensor.' : 'Always use the same name for the same sensor.'
          }
          error={sensorName.trim() === '' ? 'Name the sensor' : undefined}
        >
          <Input value={sensorName} maxLength={80} list={listId} onChange={({ target }) => onChange({ sensorName: target.value })} />
        </Field>
        <datalist id={listId}>
          {sensors.map(({ id, name }) => (
            <option key={id} value={name} />
          ))}
        </datalist>
        <Field
          label="Time zone"
          hint="For times without a time zone."
          error={typed.hasLeft && !isTimeZone(zone) ? `Unknown time zone. We’re still reading the times as ${timeZone}.` : undefined}
        >
          <Input
            value={zone}
            list={zonesId}
            onChange={({ target }) => setTyped({ text: target.value, of: timeZone, hasLeft: false })}
            onBlur={() => {
              setTyped({ text: zone, of: timeZone, hasLeft: true })
              if (isTimeZone(zone)) onChange({ timeZone: zone })
            }}
          />
        </Field>
        <datalist id={zonesId}>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        {!(isOrderKnown && order === 'ymd') && (
          <Field
            label="Date format"
            hint={isOrderKnown ? 'Detected from the dates.' : 'The dates could be read either way.'}
            error={order === null ? 'Choose one' : undefined}
          >
            <Select value={order ?? ''} onChange={({ target }) => onChange({ order: target.value as DateOrder })}>
              {order === null && <option value="">Choose...</option>}
              {(['mdy', 'dmy', 'ymd'] as const).map((each) => (
                <option key={each} value={each}>
                  {orders[each]}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field
          label="Temperature unit"
          hint={isTemperatureKnown ? 'From the header.' : 'Not in the header.'}
          error={temperature === null ? 'Choose one' : undefined}
        >
          <Select value={temperature ?? ''} onChange={({ target }) => onChange({ temperature: target.value as 'C' | 'F' })}>
            {temperature === null && <option value="">Choose...</option>}
            <option value="C">°C</option>
            <option value="F">°F</option>
          </Select>
        </Field>
      </div>
    </div>
  )
}

type PartProps = Omit<ImportSettingsProps, 'sensors'>

function Columns({ table, settings, onChange }: PartProps) {
  const { mapping } = settings
  const missing = (['time', 'air', 'humidity'] as const).filter((field) => !mapping.includes(field))
  return (
    <FieldGroup
      legend="Columns"
      error={
        missing.length > 0 ? `Choose the column for: ${missing.map((field) => fieldNames[field].toLowerCase()).join('; ')}` : undefined
      }
    >
      <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {table.header.map((name, column) => {
          const examples = table.rows.slice(0, 3).map(({ cells }) => cells[column] ?? '')
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name and never move
            <Field key={column} label={name || `Column ${column + 1}`} hint={examples.filter((text) => text !== '').join(' · ') || 'Empty'}>
              <Select
                value={mapping[column] ?? ''}
                onChange={({ target }) => {
                  const field = sensorFields.find((each) => each === target.value) ?? null
                  // A field maps to at most one column.
                  onChange({ mapping: mapping.map((each, nth) => (nth === column ? field : each === field ? null : each)) })
                }}
              >
                <option value="">Skip</option>
                {sensorFields.map((field) => (
                  <option key={field} value={field}>
                    {fieldNames[field]}
                  </option>
                ))}
              </Select>
            </Field>
          )
        })}
      </div>
    </FieldGroup>
  )
}

function Entities({ table, settings, onChange }: PartProps) {
  const { names } = entitiesOf(table)
  const { entities } = settings
  return (
    <FieldGroup
      legend="Home Assistant entities"
      hint="Home Assistant records a value only when it changes. We carry the last value forward for up to six hours."
    >
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {(['air', 'humidity', 'leaf', 'co2'] as const).map((field) => (
          <Field key={field} label={fieldNames[field]}>
            <Select value={entities[field]} onChange={({ target }) => onChange({ entities: { ...entities, [field]: target.value } })}>
              <option value="">None</option>
              {names.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        ))}
      </div>
    </FieldGroup>
  )
}

export type Settings = {
  mapping: (SensorField | null)[]
  /** Only for Home Assistant's history. */
  entities: Chosen
  order: DateOrder | null
  temperature: 'C' | 'F' | null
  timeZone: string
  sensorName: string
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

/** Converts Home Assistant's long format to wide. */
export const tableOf = (table: SensorTable, { mapping, entities }: Settings): { table: SensorTable; mapping: Mapping } =>
  table.isLong ? { table: widened(table, entities), mapping: widenedMapping } : { table, mapping }

export const hasAll = ({ mapping, entities, order, temperature }: Settings, isLong: boolean): boolean =>
  order !== null &&
  temperature !== null &&
  (isLong
    ? entities.air !== '' && entities.humidity !== ''
    : (['time', 'air', 'humidity'] as const).every((field) => mapping.includes(field)))

type EntityRows = { time: number; entity: number; state: number; names: string[] }

export function entitiesOf({ header, rows }: SensorTable): EntityRows {
  const at = (name: string) => header.findIndex((each) => each.trim().toLowerCase() === name)
  const entity = at('entity_id')
  const time = at('last_changed') === -1 ? at('last_updated') : at('last_changed')
  return { time, entity, state: at('state'), names: [...new Set(rows.map(({ cells }) => cells[entity] ?? ''))].sort() }
}

type Chosen = { air: string; humidity: string; leaf: string; co2: string }

export function guessEntities(names: readonly string[]): Chosen {
  const find = (is: RegExp, not?: RegExp) => names.find((name) => is.test(name) && !not?.test(name)) ?? ''
  return {
    air: find(/temp/i, /dew|leaf|soil|water|outdoor/i),
    humidity: find(/humid|_rh\b/i, /soil|absolute/i),
    leaf: find(/leaf.*temp|temp.*leaf/i),
    co2: find(/co2|carbon_dioxide/i),
  }
}

/** In milliseconds. Older values aren't carried forward, because the sensor may have been offline. */
const holdsFor = 6 * hourMs

/**
 * Returns a row per change once air temperature and humidity are known. Home Assistant records only changes, so other values are carried
 * forward.
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

export const widenedMapping = ['time', 'air', 'humidity', 'leaf', 'co2'] as const
