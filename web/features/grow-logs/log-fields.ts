import { type GrowLog, type GrowthStage, growthStages, NewGrowLogRow } from '../../../contracts/grow-logs.ts'
import { isConverted, type Measure, shown, stored, storedUnits, typedNumber, type Units, unitName } from '../../lib/units.ts'

export const stageNames: Record<GrowthStage, string> = {
  germination: 'Germination',
  seedling: 'Seedling',
  vegetative: 'Vegetative',
  flower: 'Flower',
  drying: 'Drying',
  curing: 'Curing',
}

export type LogField = {
  key: Exclude<keyof NewGrowLogRow, 'id' | 'plantId' | 'loggedOn' | 'mediaIds'>
  label: string
  kind: 'number' | 'whole' | 'text' | 'stage'
  measure: Measure
  /** Where it does not depend on what somebody thinks in. */
  unit?: string
  group: 'plain' | 'air' | 'water' | 'work'
}

const number = (key: LogField['key'], label: string, group: LogField['group'], unit?: string, measure: Measure = 'plain'): LogField => ({
  key,
  label,
  kind: 'number',
  measure,
  group,
  ...(unit === undefined ? {} : { unit }),
})
const text = (key: LogField['key'], label: string, group: LogField['group']): LogField => ({
  key,
  label,
  kind: 'text',
  measure: 'plain',
  group,
})

/** Everything that a log can say, in the order in which it is read. */
export const logFields: readonly LogField[] = [
  { key: 'week', label: 'Week', kind: 'whole', measure: 'plain', group: 'plain' },
  number('heightCm', 'Height', 'plain', undefined, 'length'),
  { key: 'rating', label: 'Rating', kind: 'whole', measure: 'plain', group: 'plain' },
  text('notes', 'Notes', 'plain'),
  { key: 'stage', label: 'Stage', kind: 'stage', measure: 'plain', group: 'air' },
  number('airCelsius', 'Air', 'air', undefined, 'temperature'),
  number('humidityPercent', 'Humidity', 'air', '%'),
  number('leafCelsius', 'Leaf', 'air', undefined, 'temperature'),
  number('co2Ppm', 'CO₂', 'air', 'ppm'),
  number('ppfd', 'PPFD', 'air', 'µmol/m²/s'),
  number('ecIn', 'EC in', 'water', 'mS/cm'),
  number('phIn', 'pH in', 'water'),
  number('ecOut', 'EC out', 'water', 'mS/cm'),
  number('phOut', 'pH out', 'water'),
  text('feed', 'Feed', 'work'),
  text('pestControl', 'Pest control', 'work'),
  text('training', 'Training', 'work'),
]

export const fieldOf = (key: string): LogField => logFields.find((field) => field.key === key) as LogField

export const unitOf = (field: LogField, units: Units): string => field.unit ?? unitName(field.measure, units)

/** "Height (cm)" */
export function labelOf(field: LogField, units: Units): string {
  const unit = unitOf(field, units)
  return unit === '' ? field.label : `${field.label} (${unit})`
}

/** Names of the fields of a log's body, as the list of what waits shows them. It shows them as they are stored. */
export const storedLabels: Record<string, string> = {
  loggedOn: 'Day',
  ...Object.fromEntries(logFields.map((field) => [field.key, labelOf(field, storedUnits)])),
}

/** What a log says in a field, as one types it; empty where it says nothing. */
export function textOf(field: LogField, said: Partial<Pick<GrowLog, LogField['key']>>, units: Units): string {
  const value = said[field.key]
  if (value === null || value === undefined) return ''
  if (field.kind === 'stage') return stageNames[value as GrowthStage]
  return typeof value === 'number' ? String(shown(value, field.measure, units)) : String(value)
}

export type FieldValue = { value: string | number | null } | { error: string }

/** What a text means in a field, by the contract's own rules. */
export function readField(field: LogField, typed: string, units: Units): FieldValue {
  const given = meaningOf(field, typed, units)
  if (typeof given === 'number' && Number.isNaN(given)) return { error: 'Must be a number' }
  const checked = NewGrowLogRow.shape[field.key].safeParse(given)
  if (checked.success) return { value: checked.data as string | number | null }
  const message = checked.error.issues[0]?.message ?? 'Not valid'
  // The contract speaks of what is stored.
  return { error: isConverted(field.measure, units) ? `Check this ${unitOf(field, units)} value` : message }
}

function meaningOf(field: LogField, typed: string, units: Units): string | number | null {
  const text = typed.trim()
  if (field.kind === 'text') return text
  if (text === '') return null
  if (field.kind === 'stage') {
    const wanted = text.toLowerCase()
    return growthStages.find((stage) => stage === wanted || (wanted.length > 2 && stage.startsWith(wanted))) ?? text
  }
  const value = typedNumber(text.replace(/\s*(cm|in|°?[cf]|%|ppm)$/i, ''))
  return value === null ? null : stored(value, field.measure, units)
}

/** The fields of a log in a sentence of facts: "Height 41 cm". */
export function facts(said: GrowLog, units: Units, groups: readonly LogField['group'][]): { label: string; value: string }[] {
  return logFields.flatMap((field) => {
    if (!groups.includes(field.group) || field.key === 'notes' || field.key === 'week') return []
    const value = textOf(field, said, units)
    if (value === '') return []
    const unit = unitOf(field, units)
    return [{ label: field.label, value: unit === '' ? value : `${value} ${unit}` }]
  })
}
