import { Readable } from 'node:stream'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { vaporPressureDeficit } from '#agronomy/vpd.ts'
import {
  type addClimateReadings as addContract,
  type beginClimateImport as beginContract,
  type ClimateImport,
  type listClimateImports as listContract,
  maxClimateImports,
  maxSensors,
} from '#contracts/climate.endpoints.ts'
import { csvLine, csvStart } from '#contracts/csv.ts'
import type { Parsed, ResponseOf } from '#contracts/endpoint.ts'
import { Id, IdParams } from '#contracts/fields.ts'
import { maxReadingsOfFile, maxReadingsOfHunt } from '#contracts/limits.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { requireHunt, requireHuntOfRow, requireHuntWords } from '#server/features/hunts/index.ts'
import { toPersonOrNull } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { memberFile } from '#server/kernel/member-file.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import type { Api } from '#server/kernel/route.ts'
import { isTimeZone } from '#server/kernel/time-zones.ts'
import {
  type ImportRow,
  importKeys,
  importRows,
  insertReadings,
  lockSensor,
  type ReadingColumns,
  type ReadingRow,
  readingRows,
  removeEmptySensor,
  sensorRows,
} from './climate.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
const missing = 'Import not found.'
const noImport = () => notFound(missing)

/** @throws AppError not_found, invalid_input about the cursor */
export async function listImports(
  db: Db,
  actor: Actor,
  huntId: string,
  { limit, cursor }: Parsed<(typeof listContract)['query']>,
): Promise<Page<ClimateImport>> {
  const hunt = await requireHunt(db, actor, huntId, 'view')
  const after = decodeCursor(cursor, ['time', 'id'])
  const keys = await importKeys(db, huntId, after, limit + 1)
  const { items, nextCursor } = toPage(keys, limit, ({ id, created_at }) => [created_at.toISOString(), id])
  const ids = items.map(({ id }) => id)
  const rows = await importRows(db, actor.id, hunt.id, ids)
  return { items: rows.map(toClimateImport), nextCursor }
}

const toClimateImport = (row: ImportRow): ClimateImport => ({
  id: row.import_id,
  sensor: { id: row.sensor_id, name: row.sensor_name },
  fileName: row.file_name,
  timeZone: row.time_zone,
  readingsCount: row.readings_count,
  importedBy: toPersonOrNull(row),
  createdAt: row.imported_at.toISOString(),
})

/**
 * Readings are added by later calls. Returns the existing import if the ID is in use.
 * @throws AppError not_found, forbidden, muted, invalid_input about the time zone or refused text, conflict at the limit or if the ID
 * is another hunt's
 */
export async function beginImport(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  input: Parsed<(typeof beginContract)['body']>,
): Promise<ClimateImport> {
  const { id = newId(), sensorName, fileName, timeZone } = input
  if (!isTimeZone(timeZone)) throw invalidField('timeZone', 'Unknown time zone')
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, huntId, input)
    const known = await tx.selectFrom('climate_imports').select('hunt_id').where('id', '=', id).executeTakeFirst()
    if (known && known.hunt_id !== huntId) throw new AppError('conflict', { message: 'This ID belongs to another import. Use a new one.' })
    if (!known) {
      await requireImportRoom(tx, huntId)
      const sensorId = await findOrCreateSensor(tx, huntId, sensorName, now)
      await tx
        .insertInto('climate_imports')
        .values({
          id,
          hunt_id: huntId,
          sensor_id: sensorId,
          file_name: fileName,
          time_zone: timeZone,
          imported_by: actor.id,
          created_at: now,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    }
    return readImport(tx, actor, hunt.id, id)
  })
}

async function readImport(db: Db, viewer: Pick<Actor, 'id'>, huntId: Authorized<'hunts'>, id: string): Promise<ClimateImport> {
  const [row] = await importRows(db, viewer.id, huntId, [id])
  if (!row) throw noImport()
  return toClimateImport(row)
}

/** Concurrent calls may exceed the limit slightly, which is fine: the limit only keeps the list short. */
export async function requireImportRoom(tx: Tx, huntId: string): Promise<void> {
  if ((await countRows(tx.selectFrom('climate_imports').where('hunt_id', '=', huntId))) >= maxClimateImports) {
    throw new AppError('conflict', { message: `This hunt has ${maxClimateImports} imports, the most it can have. Undo some first.` })
  }
}

/** Creates the sensor if the hunt has none by this name. @throws AppError conflict */
export async function findOrCreateSensor(tx: Tx, huntId: string, name: string, now: Date): Promise<string> {
  const ofHunt = tx.selectFrom('climate_sensors').select('id').where('hunt_id', '=', huntId)
  // Waits for a concurrent call that removes the empty sensor.
  const known = await ofHunt.where('name', '=', name).forKeyShare().executeTakeFirst()
  if (known) return known.id
  const sensors = await ofHunt.execute()
  if (sensors.length >= maxSensors) throw new AppError('conflict', { message: `A hunt can have up to ${maxSensors} sensors.` })
  const { id } = await tx
    .insertInto('climate_sensors')
    .values({ id: newId(), hunt_id: huntId, name, created_at: now })
    // Another request may have created the sensor concurrently.
    .onConflict((conflict) => conflict.columns(['hunt_id', 'name']).doUpdateSet({ name }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Requires write access to the hunt. Locks the import and its sensor, so that files of one sensor are added one at a time. */
async function lockImport(tx: Tx, actor: Actor, importId: string) {
  const row = await tx.selectFrom('climate_imports').select(['hunt_id', 'sensor_id']).where('id', '=', importId).executeTakeFirst()
  await requireHuntOfRow(tx, actor, row, missing, 'write', { lock: 'share' })
  if (!row) throw noImport()
  await lockSensor(tx, row.sensor_id)
  const imported = await tx.selectFrom('climate_imports').selectAll().where('id', '=', importId).forUpdate().executeTakeFirst()
  if (!imported) throw noImport()
  return imported
}

/** Skips readings that the sensor already has. @throws AppError not_found, forbidden, invalid_input, conflict at the limit */
export async function addReadings(
  ctx: Ctx,
  actor: Actor,
  importId: string,
  columns: Parsed<(typeof addContract)['body']>,
): Promise<ResponseOf<typeof addContract>> {
  const rows = rowsOf(columns)
  return inTransaction(ctx.db, async (tx) => {
    const imported = await lockImport(tx, actor, importId)
    const added = await insertReadings(tx, imported.sensor_id, importId, rows)
    // Only new readings count, so that a repeated call isn't refused at the limits.
    await requireReadingRoom(tx, imported, added)
    const readingsCount = imported.readings_count + added
    await tx.updateTable('climate_imports').set({ readings_count: readingsCount }).where('id', '=', importId).execute()
    return { added, already: rows.length - added, readingsCount }
  })
}

/** Rounds as the `real` column does: a number too small for it becomes 0 instead of an error. */
const toReal = <Value extends number | null>(value: Value) => (value === null ? value : Math.fround(value)) as Value

function rowsOf({ at, airCelsius, humidityPercent, leafCelsius, co2Ppm }: Parsed<(typeof addContract)['body']>): ReadingRow[] {
  return at.map((seconds, i) =>
    toReading({
      seconds,
      airCelsius: airCelsius[i] as number,
      humidityPercent: humidityPercent[i] as number,
      leafCelsius: leafCelsius?.[i] ?? null,
      co2Ppm: co2Ppm?.[i] ?? null,
    }),
  )
}

type GivenReading = Pick<ReadingRow, 'airCelsius' | 'humidityPercent' | 'leafCelsius' | 'co2Ppm'> & { seconds: number }

export function toReading({ seconds, ...given }: GivenReading): ReadingRow {
  const air = toReal(given.airCelsius)
  const humidity = toReal(given.humidityPercent)
  const leaf = toReal(given.leafCelsius)
  return {
    readAt: new Date(seconds * 1000).toISOString(),
    airCelsius: air,
    humidityPercent: humidity,
    leafCelsius: leaf,
    co2Ppm: toReal(given.co2Ppm),
    vpdKpa: vpdOfReading(air, humidity, leaf),
  }
}

async function requireReadingRoom(tx: Tx, imported: { hunt_id: string; readings_count: number }, more: number): Promise<void> {
  if (imported.readings_count + more > maxReadingsOfFile) {
    throw new AppError('conflict', {
      message: `A file can have up to ${maxReadingsOfFile.toLocaleString('en')} readings. Split this file.`,
    })
  }
  if ((await readingsOfHunt(tx, imported.hunt_id)) + more > maxReadingsOfHunt) {
    throw new AppError('conflict', {
      message: `A hunt can have up to ${maxReadingsOfHunt.toLocaleString('en')} readings. Undo an import you no longer need.`,
    })
  }
}

export async function readingsOfHunt(tx: Tx, huntId: string): Promise<number> {
  const { readings } = await tx
    .selectFrom('climate_imports')
    .select(sql<number>`coalesce(sum(readings_count), 0)::bigint`.as('readings'))
    .where('hunt_id', '=', huntId)
    .executeTakeFirstOrThrow()
  return readings
}

/** @throws AppError not_found, forbidden */
export async function undoImport(ctx: Ctx, actor: Actor, importId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const imported = await lockImport(tx, actor, importId)
    // Also deletes the import's readings.
    await tx.deleteFrom('climate_imports').where('id', '=', importId).execute()
    await removeEmptySensor(tx, imported.sensor_id)
  })
}

/** Never null within the contract's bounds. Three decimals exceed any sensor's precision. */
function vpdOfReading(air: number, humidity: number, leaf: number | null): number {
  const vpd = vaporPressureDeficit(air, humidity, leaf)
  if (vpd === null) throw new RangeError(`no vapor pressure deficit for ${air} °C, ${humidity} %, ${leaf} °C`)
  return Math.round(vpd * 1000) / 1000
}

const path = '/api/pheno-hunts/:id/climate.csv'

export const climateFileRoutes = [`GET ${path}`]

/** All readings of a hunt, or of one sensor, as a CSV file that opens in spreadsheets and can be imported again: UTC, SI units. */
export const serveClimateFile = (api: Api): void =>
  memberFile(api, {
    path,
    params: IdParams,
    query: z.object({ sensorId: z.optional(Id) }),
    rateLimit: 'drawing',
    async file({ ctx, actor, params, query }) {
      await requireHunt(ctx.db, actor, params.id, 'view')
      return { name: 'climate.csv', type: 'text/csv; charset=utf-8', body: Readable.from(lines(ctx.db, params.id, query.sensorId)) }
    },
  })

const rowsAtOnce = 5000
const head = ['Timestamp', 'Sensor', 'Temperature (°C)', 'Humidity (%)', 'Leaf temperature (°C)', 'CO2 (ppm)', 'VPD (kPa)']

/** Newest first. Pages are read as they are sent, so a slow download keeps at most one in memory. */
async function* lines(db: Db, huntId: string, sensorId: string | undefined): AsyncGenerator<string> {
  yield csvStart + csvLine(head)
  const sensors = (await sensorRows(db, huntId)).filter(({ id }) => sensorId === undefined || id === sensorId)
  const names = new Map(sensors.map(({ id, name }) => [id, name]))
  const sensorIds = [...names.keys()]
  for (let after: { at: string; sensorId: string } | null = null; ; ) {
    const rows: ReadingColumns[] = await readingRows(db, { sensorIds }, after, rowsAtOnce)
    yield rows
      .map((row) =>
        csvLine([
          row.read_at.toISOString(),
          names.get(row.sensor_id) ?? '',
          row.air_celsius,
          row.humidity_percent,
          row.leaf_celsius,
          row.co2_ppm,
          row.vpd_kpa,
        ]),
      )
      .join('')
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    after = { at: last.read_at.toISOString(), sensorId: last.sensor_id }
  }
}

/** Readings in other people's hunts are kept; only the file name is personal data. */
export const eraseClimateImports: EraseStep = {
  name: 'climate-imports',
  async eraseSome({ db }, { id }) {
    const { numUpdatedRows } = await db
      .updateTable('climate_imports')
      .set({ file_name: 'readings.csv', imported_by: null })
      .where('imported_by', '=', id)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  },
}
