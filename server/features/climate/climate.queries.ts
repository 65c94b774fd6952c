import { sql } from 'kysely'
import { growthStages } from '#contracts/choices.ts'
import type { GrowthStage } from '#contracts/grow-logs.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { bylineColumns, isNotBlocked } from '#server/features/people/index.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import { newestAfter } from '#server/kernel/keyset.ts'

export type ReadingRow = {
  readAt: string
  airCelsius: number
  humidityPercent: number
  leafCelsius: number | null
  co2Ppm: number | null
  vpdKpa: number
}

/** Skips readings that the sensor already has. Returns the number added. */
export async function insertReadings(tx: Tx, sensorId: string, importId: string, rows: readonly ReadingRow[]): Promise<number> {
  const column = <K extends keyof ReadingRow>(key: K) => rows.map((row) => row[key])
  const result = await sql`
    insert into climate_readings (sensor_id, import_id, read_at, air_celsius, humidity_percent, leaf_celsius, co2_ppm, vpd_kpa)
    select ${sensorId}::uuid, ${importId}::uuid, given.*
    from unnest(
      ${column('readAt')}::timestamptz[], ${column('airCelsius')}::real[], ${column('humidityPercent')}::real[],
      ${column('leafCelsius')}::real[], ${column('co2Ppm')}::real[], ${column('vpdKpa')}::real[]) as given
    order by 3
    on conflict (sensor_id, read_at) do nothing`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

export const lockSensor = (tx: Tx, sensorId: string) =>
  tx.selectFrom('climate_sensors').select('id').where('id', '=', sensorId).forUpdate().execute()

/** Removes a sensor that has neither an import nor a key that could add one. */
export const removeEmptySensor = (tx: Tx, sensorId: string) =>
  tx
    .deleteFrom('climate_sensors')
    .where('id', '=', sensorId)
    .where((eb) =>
      eb.not(
        eb.or([
          eb.exists(eb.selectFrom('climate_imports').select('id').whereRef('climate_imports.sensor_id', '=', 'climate_sensors.id')),
          eb.exists(eb.selectFrom('sensor_keys').select('id').whereRef('sensor_keys.sensor_id', '=', 'climate_sensors.id')),
        ]),
      ),
    )
    .execute()

/** Newest first. IDs aren't chronological, because those of live readings are hashes. */
export const importKeys = (db: Db, huntId: string, after: readonly [at: string, id: string] | null, limit: number) =>
  db
    .selectFrom('climate_imports')
    .select(['id', 'created_at'])
    .where('hunt_id', '=', huntId)
    .$call((rows) => newestAfter(rows, 'created_at', 'id', after))
    .limit(limit)
    .execute()

export type ImportRow = Awaited<ReturnType<typeof importRows>>[number]

export const importRows = (db: Db, viewerId: string, huntId: Authorized<'hunts'>, ids: readonly string[]) =>
  db
    .selectFrom('climate_imports')
    .innerJoin('climate_sensors', 'climate_sensors.id', 'climate_imports.sensor_id')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'climate_imports.imported_by').on(isNotBlocked(sql`${viewerId}::uuid`, sql`users.id`)),
    )
    .select([
      'climate_imports.id as import_id',
      'climate_imports.hunt_id',
      'climate_imports.sensor_id',
      'climate_sensors.name as sensor_name',
      'climate_imports.file_name',
      'climate_imports.time_zone',
      'climate_imports.readings_count',
      'climate_imports.created_at as imported_at',
    ])
    .select(bylineColumns)
    .where('climate_imports.hunt_id', '=', huntId)
    .where(sql<boolean>`climate_imports.id = any(${ids}::uuid[])`)
    .orderBy('climate_imports.created_at', 'desc')
    .orderBy('climate_imports.id', 'desc')
    .execute()

export type SensorRow = {
  id: string
  name: string
  readings: number
  is_live: boolean
  first_at: Date | null
  last_at: Date | null
} & { [Column in 'air_celsius' | 'humidity_percent' | 'co2_ppm' | 'vpd_kpa']: number | null }

/** Includes the first and last reading of each sensor, each an index lookup. */
export async function sensorRows(db: Db, huntId: string): Promise<SensorRow[]> {
  const { rows } = await sql<SensorRow>`
    select climate_sensors.id, climate_sensors.name,
      coalesce((select sum(readings_count) from climate_imports where climate_imports.sensor_id = climate_sensors.id), 0)::bigint as readings,
      exists (select from sensor_keys where sensor_keys.sensor_id = climate_sensors.id) as is_live,
      (select min(read_at) from climate_readings where climate_readings.sensor_id = climate_sensors.id) as first_at, last.*
    from climate_sensors left join lateral (
      select read_at as last_at, air_celsius, humidity_percent, co2_ppm, vpd_kpa from climate_readings
      where climate_readings.sensor_id = climate_sensors.id order by read_at desc limit 1) as last on true
    where climate_sensors.hunt_id = ${huntId}::uuid
    order by climate_sensors.name, climate_sensors.id`.execute(db)
  return rows
}

type Span = { sensorIds: readonly string[]; from: Date; to: Date }

const columns = {
  airCelsius: 'air_celsius',
  humidityPercent: 'humidity_percent',
  leafCelsius: 'leaf_celsius',
  co2Ppm: 'co2_ppm',
  vpdKpa: 'vpd_kpa',
}
type Measure = keyof typeof columns
export type BucketRow = { bucket_at: Date; readings: number; in_target: number[] } & Record<
  `${Measure}_${'min' | 'mean' | 'max'}`,
  number | null
>

const spreads = sql.join(
  Object.entries(columns).map(
    ([measure, column]) =>
      sql`min(${sql.ref(column)}) as ${sql.ref(`${measure}_min`)}, avg(${sql.ref(column)}) as ${sql.ref(`${measure}_mean`)}, max(${sql.ref(column)}) as ${sql.ref(`${measure}_max`)}`,
  ),
)

type Band = { measure: Measure; low: number; high: number }

/** Casts the bounds to the columns' type, because 25.3 in single precision is less than 25.3 in double precision. */
const countWithin = ({ measure, low, high }: Band) =>
  sql`count(*) filter (where ${sql.ref(columns[measure])} between ${low}::real and ${high}::real)`

type Buckets = { seconds: number; start: Date; targets: readonly Band[] }

/** Readings from `from` to `to` (inclusive), in buckets counted from `start`. Empty buckets are omitted. */
export async function bucketRows(db: Db, { sensorIds, from, to }: Span, { seconds, start, targets }: Buckets): Promise<BucketRow[]> {
  const inTarget = targets.length === 0 ? sql`` : sql.join(targets.map(countWithin))
  const { rows } = await sql<BucketRow>`
    select date_bin(make_interval(secs => ${seconds}::int), read_at, ${start}::timestamptz) as bucket_at, count(*)::int as readings, ${spreads},
      array[${inTarget}]::int[] as in_target
    from climate_readings
    where sensor_id = any(${sensorIds}::uuid[]) and read_at >= ${from}::timestamptz and read_at <= ${to}::timestamptz
    group by 1
    order by 1`.execute(db)
  return rows
}

type Place = { at: string; sensorId: string }

export type ReadingColumns = Awaited<ReturnType<typeof readingRows>>[number]

/** Individual readings, newest first. Reads no more rows per sensor than may be shown. */
export async function readingRows(
  db: Db,
  { sensorIds, from, to }: { sensorIds: readonly string[]; from?: Date | undefined; to?: Date | undefined },
  after: Place | null,
  limit: number,
) {
  const { rows } = await sql<{
    sensor_id: string
    read_at: Date
    air_celsius: number
    humidity_percent: number
    leaf_celsius: number | null
    co2_ppm: number | null
    vpd_kpa: number
  }>`
    select newest.* from unnest(${sensorIds}::uuid[]) as sensors (id)
    cross join lateral (
      select sensor_id, read_at, air_celsius, humidity_percent, leaf_celsius, co2_ppm, vpd_kpa
      from climate_readings
      where sensor_id = sensors.id
        ${from === undefined ? sql`` : sql`and read_at >= ${from}::timestamptz`}
        ${to === undefined ? sql`` : sql`and read_at <= ${to}::timestamptz`}
        ${after === null ? sql`` : sql`and read_at <= ${after.at}::timestamptz and (read_at, sensor_id) < (${after.at}::timestamptz, ${after.sensorId}::uuid)`}
      order by read_at desc
      limit ${limit}) as newest
    order by newest.read_at desc, newest.sensor_id desc
    limit ${limit}`.execute(db)
  return rows
}

const maxClimateLogs = 2000

/** Air measurements that people logged, newest first. */
export const measuredLogs = (db: Db, huntId: string, span: { from?: string | undefined; to?: string | undefined }) =>
  db
    .selectFrom('grow_logs')
    .select(['id', 'logged_on', 'air_celsius', 'humidity_percent', 'leaf_celsius', 'co2_ppm'])
    .where('hunt_id', '=', huntId)
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('air_celsius', 'is not', null),
        eb('humidity_percent', 'is not', null),
        eb('leaf_celsius', 'is not', null),
        eb('co2_ppm', 'is not', null),
      ]),
    )
    .$if(span.from !== undefined, (query) => query.where('logged_on', '>=', span.from as string))
    .$if(span.to !== undefined, (query) => query.where('logged_on', '<=', span.to as string))
    .orderBy('logged_on', 'desc')
    .orderBy('id', 'desc')
    .limit(maxClimateLogs)
    .execute()

type StageRow = { day: string; stage: GrowthStage }

/** The stage in most of a day's logs; in a tie, the later stage. */
export async function loggedStages(db: Db, huntId: string): Promise<StageRow[]> {
  const { rows } = await sql<StageRow>`
    select distinct on (day) day, stage from (
      select logged_on as day, stage, count(*) as logs
      from grow_logs where hunt_id = ${huntId}::uuid and deleted_at is null and stage is not null
      group by 1, 2) as said
    order by day, logs desc,
      array_position(${growthStages}::text[], stage) desc`.execute(db)
  return rows
}

export async function stagesOfRuns(db: Db, huntId: string): Promise<StageRow[]> {
  const { rows } = await sql<StageRow>`
    select started_on as day, 'vegetative' as stage from runs where hunt_id = ${huntId}::uuid and started_on is not null
    union all
    select flowered_on, 'flower' from runs where hunt_id = ${huntId}::uuid and flowered_on is not null
    order by 1, 2 desc`.execute(db)
  return rows
}
