import { growthStages } from '#contracts/choices.ts'
import type {
  Climate,
  ClimateMeasure,
  ClimatePoint,
  ClimateReading,
  ClimateSensor,
  ClimateTarget,
  getClimate as getContract,
  listClimateReadings as listContract,
} from '#contracts/climate.endpoints.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import type { GrowthStage } from '#contracts/grow-logs.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { vpdOf } from '#server/features/grow-logs/index.ts'
import { requireHunt } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import {
  type BucketRow,
  bucketRows,
  loggedStages,
  measuredLogs,
  type ReadingColumns,
  readingRows,
  type SensorRow,
  sensorRows,
  stagesOfRuns,
} from './climate.queries.ts'

type Query = Parsed<(typeof getContract)['query']>

/** @throws AppError not_found, invalid_input about the sensor or the span */
export async function getClimate(db: Db, actor: Actor, huntId: string, query: Query): Promise<Climate> {
  await requireHunt(db, actor, huntId, 'view')
  const all = await sensorRows(db, huntId)
  const sensors = chosen(all, query.sensorId)
  const { from, to } = spanOf(sensors, query)
  const hasReadings = from !== null && to !== null && from <= to
  const bucketSeconds = hasReadings ? bucketOf((to.getTime() - from.getTime()) / 1000, query.points) : 0
  const start = hasReadings ? evenStart(from, bucketSeconds) : null
  const targets = (await readTargets(db, huntId)).filter(({ measure }) => measure !== 'leafCelsius' && measure !== 'co2Ppm')
  const span = start && to && { sensorIds: sensors.map(({ id }) => id), from: from ?? start, to }
  const buckets = span ? await bucketRows(db, span, { seconds: bucketSeconds, start, targets }) : []
  const logs = await measuredLogs(db, huntId, { from: query.from?.slice(0, 10), to: query.to?.slice(0, 10) })
  return {
    from: from?.toISOString() ?? null,
    to: to?.toISOString() ?? null,
    bucketSeconds,
    readingsCount: buckets.reduce((sum, { readings }) => sum + readings, 0),
    points: buckets.map(toClimatePoint),
    targets,
    logs: logs.reverse().map((log) => ({
      logId: log.id,
      on: log.logged_on,
      airCelsius: log.air_celsius,
      humidityPercent: log.humidity_percent,
      leafCelsius: log.leaf_celsius,
      co2Ppm: log.co2_ppm,
      vpdKpa: vpdOf(log.air_celsius, log.humidity_percent, log.leaf_celsius),
    })),
    stages: await stagesOf(db, huntId),
    sensors: all.map(toClimateSensor),
  }
}

function chosen(sensors: SensorRow[], sensorId: string | undefined): SensorRow[] {
  if (sensorId === undefined) return sensors
  const sensor = sensors.find(({ id }) => id === sensorId)
  if (!sensor) throw invalidField('sensorId', 'This sensor isn’t in this hunt')
  return [sensor]
}

/** Defaults to the span from the first reading to the last. */
function spanOf(sensors: readonly SensorRow[], { from, to }: Pick<Query, 'from' | 'to'>): { from: Date | null; to: Date | null } {
  const times = sensors.flatMap(({ first_at, last_at }) => [first_at, last_at].filter((at) => at !== null).map((at) => at.getTime()))
  const bound = (given: string | undefined, pick: (...all: number[]) => number) =>
    given !== undefined ? new Date(given) : times.length > 0 ? new Date(pick(...times)) : null
  const span = { from: bound(from, Math.min), to: bound(to, Math.max) }
  if (from !== undefined && to !== undefined && from > to) throw invalidField('to', 'Must not be before the start')
  return span
}

const minute = 60
const day = 86_400
/** In seconds. Round lengths let buckets start on the hour, not three minutes past it. */
const evenLengths = [1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute).concat([1, 2, 3, 6, 12].map((hours) => hours * 3600))

/** The shortest round length that takes at most `points` buckets. Starting at a round time may take one more bucket. */
function bucketOf(seconds: number, points: number): number {
  const minSeconds = seconds / (points - 1)
  return evenLengths.find((length) => length >= minSeconds) ?? Math.ceil(minSeconds / day) * day
}

const evenStart = (from: Date, bucketSeconds: number) =>
  new Date(Math.floor(from.getTime() / (bucketSeconds * 1000)) * bucketSeconds * 1000)

/** Stages from logs, or from runs if no log states one. Merges consecutive days of the same stage. */
async function stagesOf(db: Db, huntId: string): Promise<Climate['stages']> {
  const logged = await loggedStages(db, huntId)
  const days = logged.length > 0 ? logged : await stagesOfRuns(db, huntId)
  return days.filter(({ stage }, i) => stage !== days[i - 1]?.stage).map(({ day: from, stage }) => ({ stage, from }))
}

/** @throws AppError not_found, invalid_input */
export async function listReadings(
  db: Db,
  actor: Actor,
  huntId: string,
  { limit, cursor, from, to, sensorId }: Parsed<(typeof listContract)['query']>,
): Promise<Page<ClimateReading>> {
  await requireHunt(db, actor, huntId, 'view')
  const sensors = chosen(await sensorRows(db, huntId), sensorId)
  const after = decodeCursor(cursor, ['time', 'id'])
  const rows = await readingRows(
    db,
    {
      sensorIds: sensors.map(({ id }) => id),
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
    },
    after && { at: after[0], sensorId: after[1] },
    limit + 1,
  )
  const { items, nextCursor } = toPage(rows, limit, ({ read_at, sensor_id }) => [read_at.toISOString(), sensor_id])
  return { items: items.map(toClimateReading), nextCursor }
}

/** @throws AppError not_found */
export async function listTargets(db: Db, actor: Actor, huntId: string): Promise<ClimateTarget[]> {
  await requireHunt(db, actor, huntId, 'view')
  return readTargets(db, huntId)
}

async function readTargets(db: Db, huntId: string): Promise<ClimateTarget[]> {
  const rows = await db
    .selectFrom('climate_targets')
    .select(['stage', 'measure', 'low', 'high'])
    .where('hunt_id', '=', huntId)
    .orderBy('measure')
    .execute()
  return rows.sort((a, b) => growthStages.indexOf(a.stage) - growthStages.indexOf(b.stage))
}

type Which = { id: string; stage: GrowthStage; measure: ClimateMeasure }

/** @throws AppError not_found, forbidden */
export async function setTarget(
  db: Db,
  actor: Actor,
  { id: huntId, stage, measure }: Which,
  band: { low: number; high: number },
): Promise<ClimateTarget[]> {
  return inTransaction(db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    await tx
      .insertInto('climate_targets')
      .values({ hunt_id: huntId, stage, measure, ...band })
      .onConflict((conflict) => conflict.columns(['hunt_id', 'stage', 'measure']).doUpdateSet(band))
      .execute()
    return readTargets(tx, huntId)
  })
}

/** @throws AppError not_found, forbidden */
export async function removeTarget(db: Db, actor: Actor, { id: huntId, stage, measure }: Which): Promise<ClimateTarget[]> {
  return inTransaction(db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    await tx.deleteFrom('climate_targets').where('hunt_id', '=', huntId).where('stage', '=', stage).where('measure', '=', measure).execute()
    return readTargets(tx, huntId)
  })
}

function toClimateSensor({ id, name, readings, is_live, first_at, last_at, ...last }: SensorRow): ClimateSensor {
  const { air_celsius: air, humidity_percent: humidity, vpd_kpa: vpd } = last
  return {
    id,
    name,
    readingsCount: readings,
    isLive: is_live,
    firstAt: first_at?.toISOString() ?? null,
    lastAt: last_at?.toISOString() ?? null,
    last:
      air === null || humidity === null || vpd === null
        ? null
        : { airCelsius: rounded(air), humidityPercent: rounded(humidity), co2Ppm: last.co2_ppm, vpdKpa: rounded(vpd) },
  }
}

/** Single precision has seven digits; more would be conversion noise. */
const rounded = (value: number) => Math.round(value * 1000) / 1000

function toClimatePoint(row: BucketRow): ClimatePoint {
  const spreadOf = (measure: ClimateMeasure) => {
    const { [`${measure}_min` as const]: min, [`${measure}_mean` as const]: mean, [`${measure}_max` as const]: max } = row
    return min === null || mean === null || max === null ? null : { min: rounded(min), mean: rounded(mean), max: rounded(max) }
  }
  return {
    at: row.bucket_at.toISOString(),
    readingsCount: row.readings,
    airCelsius: spreadOf('airCelsius'),
    humidityPercent: spreadOf('humidityPercent'),
    leafCelsius: spreadOf('leafCelsius'),
    co2Ppm: spreadOf('co2Ppm'),
    vpdKpa: spreadOf('vpdKpa'),
    inTarget: row.in_target,
  }
}

const toClimateReading = (row: ReadingColumns): ClimateReading => ({
  at: row.read_at.toISOString(),
  sensorId: row.sensor_id,
  airCelsius: row.air_celsius,
  humidityPercent: row.humidity_percent,
  leafCelsius: row.leaf_celsius,
  co2Ppm: row.co2_ppm,
  vpdKpa: row.vpd_kpa,
})
