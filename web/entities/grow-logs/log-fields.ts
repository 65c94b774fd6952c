import { usualLeafDifference } from '#agronomy/vpd.ts'
import { growthStages } from '#contracts/choices.ts'
import { type GrowLog, type GrowLogVersion, type GrowthStage, NewGrowLogRow } from '#contracts/grow-logs.ts'
import type * as z from '#contracts/zod.ts'
import { dateFormat } from '#web/lib/format.ts'
import { isConverted, type Measure, shown, stored, storedUnits, typedNumber, type Units, unitName, withUnit } from '#web/lib/units.ts'

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
  /** Set if all unit systems share the unit. */
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

/** For the list of unsent writes, whose values are in stored units. */
export const storedLabels: Record<string, string> = {
  plantId: 'Plant',
  loggedOn: 'Day',
  ...Object.fromEntries(logFields.map((field) => [field.key, labelOf(field, storedUnits)])),
  mediaIds: 'Photos',
}

export function textOf(field: LogField, said: Partial<Pick<GrowLog, LogField['key']>>, units: Units): string {
  const value = said[field.key]
  if (value === null || value === undefined) return ''
  if (field.kind === 'stage') return stageNames[value as GrowthStage]
  return typeof value === 'number' ? String(shown(value, field.measure, units)) : String(value)
}

export type FieldValue = { value: string | number | null } | { error: string }

export function readField(field: LogField, typed: string, units: Units): FieldValue {
  const given = meaningOf(field, typed, units)
  if (typeof given === 'number' && Number.isNaN(given)) return { error: 'Must be a number' }
  const checked = NewGrowLogRow.shape[field.key].safeParse(given)
  if (checked.success) return { value: checked.data as string | number | null }
  const [issue] = checked.error.issues
  // The contract's message uses stored units, so state the limit in the person's units.
  if (issue && isConverted(field.measure, units)) return { error: limitIn(issue, field, units) }
  return { error: issue?.message ?? 'Not valid' }
}

/** "At most 393.7 in". */
function limitIn(issue: z.core.$ZodIssue, field: LogField, units: Units): string {
  const inUnits = (limit: number | bigint) => `${shown(Number(limit), field.measure, units)} ${unitOf(field, units)}`
  if (issue.code === 'too_big') return `At most ${inUnits(issue.maximum)}`
  if (issue.code === 'too_small') return `At least ${inUnits(issue.minimum)}`
  return 'Must be a number'
}

function meaningOf(field: LogField, typed: string, units: Units): string | number | null {
  const text = typed.trim()
  if (field.kind === 'text') return text
  if (text === '') return null
  if (field.kind === 'stage') {
    const wanted = text.toLowerCase()
    return growthStages.find((stage) => stage === wanted || (wanted.length > 2 && stage.startsWith(wanted))) ?? text
  }
  const [, figure = text, unit = ''] = /^(.*?)\s*(cm|in|°?[cf]|%|ppm)?$/i.exec(text) ?? []
  const typedIn = unitsTyped(field, unit.replace('°', '').toLowerCase(), units)
  const value = typedNumber(typedIn === null ? text : figure)
  return value === null ? null : stored(value, field.measure, typedIn ?? units)
}

/** The person's units, unless the number has another unit. Null if its unit doesn't fit the field. */
function unitsTyped({ measure, unit: own }: LogField, unit: string, units: Units): Units | null {
  if (measure === 'length' && (unit === 'cm' || unit === 'in')) return { ...units, length: unit }
  if (measure === 'temperature' && (unit === 'c' || unit === 'f')) return { ...units, temperature: unit === 'f' ? 'F' : 'C' }
  return unit === '' || unit === own ? units : null
}

export function facts(said: GrowLog, units: Units, groups: readonly LogField['group'][]): { label: string; value: string }[] {
  return logFields.flatMap((field) => {
    if (!groups.includes(field.group) || field.key === 'notes' || field.key === 'week') return []
    const value = textOf(field, said, units)
    if (value === '') return []
    return [{ label: field.label, value: withUnit(value, unitOf(field, units)) }]
  })
}

const dayOf = dateFormat({ month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** "Mar 2, 2026": a calendar day, so every time zone shows the same one. */
export const formatDay = (day: string): string => dayOf.format(new Date(`${day}T00:00:00Z`))

type LogContent = Omit<GrowLogVersion, 'version' | 'changedBy' | 'changedAt'>

const saidByLog = (log: GrowLog): LogContent => ({
  ...log,
  week: log.isWeekStated ? log.week : null,
  plantId: log.plant?.id ?? null,
  photosCount: log.photos.length,
})

type Difference = { label: string; before: string; after: string }

export function differences(
  before: LogContent,
  after: LogContent | GrowLog,
  units: Units,
  nameOf: (plantId: string) => string,
): Difference[] {
  const next = 'author' in after ? saidByLog(after) : after
  const all = [
    { label: 'Day', before: formatDay(before.loggedOn), after: formatDay(next.loggedOn) },
    { label: 'Plant', before: plantWords(before.plantId, nameOf), after: plantWords(next.plantId, nameOf) },
    ...logFields.map((field) => {
      const unit = unitOf(field, units)
      const words = (said: LogContent) => {
        const text = textOf(field, said, units)
        return text === '' ? 'nothing' : withUnit(text, unit)
      }
      return { label: field.label, before: words(before), after: words(next) }
    }),
    { label: 'Photos', before: String(before.photosCount), after: String(next.photosCount) },
  ]
  return all.filter((each) => each.before !== each.after)
}

const plantWords = (plantId: string | null, nameOf: (plantId: string) => string) => (plantId === null ? 'whole hunt' : nameOf(plantId))

type Range = { low: number; high: number; note?: string }

type Usual = Partial<Record<GrowthStage | 'any', Range>>

/** The ranges are only hints, because guides and sensor makers disagree, and cultivars and rooms differ. Temperatures are for daytime. */
const usualRanges: Readonly<Record<string, Usual>> = {
  vpdKpa: {
    germination: { low: 0.4, high: 0.8 },
    seedling: { low: 0.4, high: 0.8, note: 'clones about 0.8' },
    vegetative: { low: 0.8, high: 1.3 },
    flower: { low: 1.2, high: 1.8 },
  },
  airCelsius: {
    seedling: { low: 21, high: 28 },
    vegetative: { low: 21, high: 30, note: 'nights 18–24 °C' },
    flower: { low: 21, high: 27 },
    any: { low: 21, high: 30 },
  },
  humidityPercent: { any: { low: 50, high: 80 } },
  ecIn: {
    seedling: { low: 0.2, high: 0.5, note: 'coco 0.8–1.2' },
    vegetative: { low: 1, high: 2 },
    flower: { low: 1.5, high: 2.5 },
    any: { low: 0.2, high: 2.5 },
  },
  phIn: { any: { low: 5.5, high: 7, note: 'soil 6.0–7.0, hydro and coco 5.5–6.5' } },
}

export const rangesDisagree = 'Usual ranges are only a guide. Sources disagree, and plants and rooms vary.'

/** "Usual in flower: 21–27 °C"; null if no range is typical. */
export function usualHint(field: string, stage: GrowthStage | null, measure: Measure, units: Units): string | null {
  const usual = usualRanges[field]
  const range = (stage && usual?.[stage]) ?? usual?.any
  if (!range) return null
  // A converted guide value isn't more precise than the original.
  const figure = (value: number) =>
    String(isConverted(measure, units) ? Math.round(shown(value, measure, units)) : shown(value, measure, units))
  const unit = measure === 'plain' ? '' : ` ${unitName(measure, units)}`
  const where = stage && usual?.[stage] ? ` in ${stageInSentence[stage]}` : ''
  // Notes about temperatures use °C, so people who use °F don't see them.
  const note = range.note && !(measure === 'temperature' && units.temperature === 'F') ? ` (${range.note})` : ''
  return `Usual${where}: ${figure(range.low)}–${figure(range.high)}${unit}${note}`
}

/** How much cooler than the air a leaf is assumed to be: "2 °C", "3.6 °F". */
export function leafDifferenceText(units: Units): string {
  const degrees = -usualLeafDifference
  return units.temperature === 'F' ? `${(degrees * 9) / 5} °F` : `${degrees} °C`
}

const stageInSentence: Record<GrowthStage, string> = {
  germination: 'germination',
  seedling: 'seedlings',
  vegetative: 'veg',
  flower: 'flower',
  drying: 'drying',
  curing: 'curing',
}
