import type { GrowLogChange, NewGrowLogRow } from '#contracts/grow-logs.ts'
import { hourMs } from '#contracts/time.ts'
import { today } from '#server/features/hunts/index.ts'
import type { GrowLogRow } from './grow-logs.queries.ts'

/** A log without its author and time: stored with each version, and compared to recognize retries. */
export type LogContent = Required<Omit<NewGrowLogRow, 'id'>>

const keys = [
  'plantId',
  'loggedOn',
  'week',
  'stage',
  'heightCm',
  'rating',
  'notes',
  'airCelsius',
  'leafCelsius',
  'humidityPercent',
  'co2Ppm',
  'ppfd',
  'ecIn',
  'ecOut',
  'phIn',
  'phOut',
  'feed',
  'pestControl',
  'training',
  'mediaIds',
] as const satisfies readonly (keyof LogContent)[]

export const contentOfRow = (row: GrowLogRow): LogContent => ({
  plantId: row.plant_id,
  loggedOn: row.logged_on,
  week: row.week,
  stage: row.stage,
  heightCm: row.height_cm,
  rating: row.rating,
  notes: row.notes,
  airCelsius: row.air_celsius,
  leafCelsius: row.leaf_celsius,
  humidityPercent: row.humidity_percent,
  co2Ppm: row.co2_ppm,
  ppfd: row.ppfd,
  ecIn: row.ec_in,
  ecOut: row.ec_out,
  phIn: row.ph_in,
  phOut: row.ph_out,
  feed: row.feed,
  pestControl: row.pest_control,
  training: row.training,
  mediaIds: row.media_ids,
})

/** Excludes photos, which are in another table. */
export const columnsOf = (content: LogContent) => ({
  plant_id: content.plantId,
  logged_on: content.loggedOn,
  week: content.week,
  stage: content.stage,
  height_cm: content.heightCm,
  rating: content.rating,
  notes: content.notes,
  air_celsius: content.airCelsius,
  leaf_celsius: content.leafCelsius,
  humidity_percent: content.humidityPercent,
  co2_ppm: content.co2Ppm,
  ppfd: content.ppfd,
  ec_in: content.ecIn,
  ec_out: content.ecOut,
  ph_in: content.phIn,
  ph_out: content.phOut,
  feed: content.feed,
  pest_control: content.pestControl,
  training: content.training,
})

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
