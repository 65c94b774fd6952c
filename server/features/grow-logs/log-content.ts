import type { GrowLogChange, NewGrowLogRow } from '#contracts/grow-logs.ts'
import { hourMs } from '#contracts/time.ts'
import { today } from '#server/features/hunts/index.ts'
import type { GrowLogRow } from './grow-logs.queries.ts'

/** A log without its author and time: stored with each version, and compared to recognize retries. */
export type LogContent = Required<Omit<NewGrowLogRow, 'id'>>

/** The column of each field. Photos are in another table. */
const columns = {
  plantId: 'plant_id',
  loggedOn: 'logged_on',
  week: 'week',
  stage: 'stage',
  heightCm: 'height_cm',
  rating: 'rating',
  notes: 'notes',
  airCelsius: 'air_celsius',
  leafCelsius: 'leaf_celsius',
  humidityPercent: 'humidity_percent',
  co2Ppm: 'co2_ppm',
  ppfd: 'ppfd',
  ecIn: 'ec_in',
  ecOut: 'ec_out',
  phIn: 'ph_in',
  phOut: 'ph_out',
  feed: 'feed',
  pestControl: 'pest_control',
  training: 'training',
} as const satisfies Record<keyof Stored, keyof GrowLogRow>

type Stored = Omit<LogContent, 'mediaIds'>
type Columns = { [Field in keyof Stored as (typeof columns)[Field]]: Stored[Field] }
const fields = Object.keys(columns) as (keyof Stored)[]

export function contentOfRow(row: Columns & Pick<GrowLogRow, 'media_ids'>): LogContent {
  const stored = Object.fromEntries(fields.map((field) => [field, row[columns[field]]])) as Stored
  return { ...stored, mediaIds: row.media_ids }
}

export const columnsOf = (content: LogContent): Columns =>
  Object.fromEntries(fields.map((field) => [columns[field], content[field]])) as Columns

const keys = [...fields, 'mediaIds'] as const

/** Omitted fields are unchanged. */
export function changed(content: LogContent, change: GrowLogChange): LogContent {
  const given = keys.filter((key) => change[key] !== undefined).map((key) => [key, change[key]])
  return { ...content, ...Object.fromEntries(given) }
}

export function isSame(a: LogContent, b: LogContent): boolean {
  const text = (content: LogContent) => JSON.stringify(keys.map((key) => content[key]))
  return text(a) === text(b)
}

/** Returns what is wrong with a log's day, if anything. Past days are fine; the latest is today in the easternmost time zone. */
export function dayIssue(loggedOn: string, now: Date): string | null {
  const lastDay = today(new Date(now.getTime() + 14 * hourMs))
  return loggedOn > lastDay ? 'This day is in the future. A log says what you saw: choose today or an earlier day.' : null
}
