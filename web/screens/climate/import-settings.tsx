import { useId } from 'react'
import type { ClimateSensor } from '#contracts/climate.endpoints.ts'
import { Field, FieldGroup } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { entitiesOf, type Settings } from './import-state.ts'
import { type DateOrder, fieldNames, isTimeZone, type SensorTable, sensorFields } from './sensor-table.ts'

type ImportSettingsProps = {
  table: SensorTable
  settings: Settings
  sensors: readonly ClimateSensor[]
  onChange: (change: Partial<Settings>) => void
}

const orders: Record<DateOrder, string> = { ymd: 'Year, month, day', mdy: 'Month, day, year', dmy: 'Day, month, year' }

export function ImportSettings({ table, settings, sensors, onChange }: ImportSettingsProps) {
  const { sensorName, timeZone, order, temperature, isOrderKnown, isTemperatureKnown } = settings
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
        <Field label="Sensor" hint="Use the same name for the same sensor" error={sensorName.trim() === '' ? 'Name the sensor' : undefined}>
          <Input value={sensorName} maxLength={80} list={listId} onChange={({ target }) => onChange({ sensorName: target.value })} />
        </Field>
        <datalist id={listId}>
          {sensors.map(({ id, name }) => (
            <option key={id} value={name} />
          ))}
        </datalist>
        <Field label="Time zone" hint="For times without a time zone" error={isTimeZone(timeZone) ? undefined : 'Unknown time zone'}>
          <Input
            key={timeZone}
            defaultValue={timeZone}
            list={zonesId}
            onBlur={({ target }) => isTimeZone(target.value) && onChange({ timeZone: target.value })}
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
            hint={isOrderKnown ? 'Detected from the dates' : 'The dates can be read both ways'}
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
          hint={isTemperatureKnown ? 'From the header' : 'The header doesn’t say'}
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
            // biome-ignore lint/suspicious/noArrayIndexKey: columns may have one name and never move
            <Field key={column} label={name || `Column ${column + 1}`} hint={examples.filter((text) => text !== '').join(' · ') || 'Empty'}>
              <Select
                value={mapping[column] ?? ''}
                onChange={({ target }) => {
                  const field = sensorFields.find((each) => each === target.value) ?? null
                  // Each field maps to at most one column.
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
