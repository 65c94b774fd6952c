import { sql } from 'kysely'
import {
  type addClimateReadings as addContract,
  type beginClimateImport as beginContract,
  type ClimateImport,
  type listClimateImports as listContract,
  maxClimateImports,
  maxReadingsOfFile,
  maxReadingsOfHunt,
  maxSensors,
} from '../../../contracts/climate.ts'
import type { Parsed, ResponseOf } from '../../../contracts/endpoint.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { requireHunt, requireHuntOfRow, requireHuntWords } from '../hunts/index.ts'
import { importKeys, importRows, insertReadings, lockSensor, type ReadingRow } from './climate.queries.ts'
import { toClimateImport } from './climate.view.ts'
import { vpdOfReading } from './vpd-of-reading.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
const missing = 'There is no such import.'
const noImport = () => notFound(missing)

/** @throws AppError not_found, invalid_input about the cursor */
export async function listImports(
  db: Db,
  actor: Actor,
  huntId: string,
  { limit, cursor }: Parsed<(typeof listContract)['query']>,
): Promise<Page<ClimateImport>> {
  await requireHunt(db, actor, huntId, 'view')
  const after = decodeCursor(cursor, ['id'])
  const keys = await importKeys(db, huntId, after?.[0] ?? null, limit + 1)
  const { items, nextCursor } = toPage(keys, limit, ({ id }) => [id])
  const rows = await importRows(
    db,
    items.map(({ id }) => id),
  )
  return { items: rows.map(toClimateImport), nextCursor }
}

/**
 * Begins an import; readings come with the next calls. The same id again answers the same import.
 * @throws AppError not_found, forbidden, invalid_input about the time zone, conflict where there are too many or the id is another's
 */
export async function beginImport(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  input: Parsed<(typeof beginContract)['body']>,
): Promise<ClimateImport> {
  const { id = newId(), sensorName, fileName, timeZone } = input
  if (!isTimeZone(timeZone)) throw invalidField('timeZone', 'There is no such time zone')
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, huntId, input)
    const known = await tx.selectFrom('climate_imports').select('hunt_id').where('id', '=', id).executeTakeFirst()
    if (known && known.hunt_id !== huntId) throw new AppError('conflict', { message: 'This id is that of another import. Make a new one.' })
    if (!known) {
      await requireImportRoom(tx, huntId)
      const sensorId = await sensorNamed(tx, huntId, sensorName, now)
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
    return readImport(tx, huntId, id)
  })
}

async function readImport(db: Db, huntId: string, id: string): Promise<ClimateImport> {
  const [row] = await importRows(db, [id])
  if (row?.hunt_id !== huntId) throw noImport()
  return toClimateImport(row)
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Two at once may pass by one: the limits are there to keep lists short. */
async function requireImportRoom(tx: Tx, huntId: string): Promise<void> {
  const { imports } = await tx
    .selectFrom('climate_imports')
    .select((eb) => eb.fn.countAll<number>().as('imports'))
    .where('hunt_id', '=', huntId)
    .executeTakeFirstOrThrow()
  if (imports >= maxClimateImports) {
    throw new AppError('conflict', { message: `This hunt has ${maxClimateImports} imports already. Undo some first.` })
  }
}

/** The sensor of this name, a new one where there is none. @throws AppError conflict */
async function sensorNamed(tx: Tx, huntId: string, name: string, now: Date): Promise<string> {
  const sensors = await tx.selectFrom('climate_sensors').select(['id', 'name']).where('hunt_id', '=', huntId).execute()
  const known = sensors.find((sensor) => sensor.name === name)
  if (known) return known.id
  if (sensors.length >= maxSensors) throw new AppError('conflict', { message: `A hunt can have at most ${maxSensors} sensors.` })
  const { id } = await tx
    .insertInto('climate_sensors')
    .values({ id: newId(), hunt_id: huntId, name, created_at: now })
    // Somebody else may have named it at the same moment.
    .onConflict((conflict) => conflict.columns(['hunt_id', 'name']).doUpdateSet({ name }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Of whoever may write to its hunt. Held with its sensor: two files of one sensor are added one after the other. */
async function holdImport(tx: Tx, actor: Actor, importId: string) {
  const row = await tx.selectFrom('climate_imports').select(['hunt_id', 'sensor_id']).where('id', '=', importId).executeTakeFirst()
  await requireHuntOfRow(tx, actor, row, missing, 'write', { lock: 'share' })
  if (!row) throw noImport()
  await lockSensor(tx, row.sensor_id)
  const held = await tx.selectFrom('climate_imports').selectAll().where('id', '=', importId).forUpdate().executeTakeFirst()
  if (!held) throw noImport()
  return held
}

/**
 * Adds what the sensor does not have yet. @throws AppError not_found, forbidden, invalid_input, conflict where there are too many
 */
export async function addReadings(
  ctx: Ctx,
  actor: Actor,
  importId: string,
  columns: Parsed<(typeof addContract)['body']>,
): Promise<ResponseOf<typeof addContract>> {
  const rows = rowsOf(columns)
  return inTransaction(ctx.db, async (tx) => {
    const held = await holdImport(tx, actor, importId)
    await requireReadingRoom(tx, held, rows.length)
    const added = await insertReadings(tx, held.sensor_id, importId, rows)
    const readingsCount = held.readings_count + added
    await tx.updateTable('climate_imports').set({ readings_count: readingsCount }).where('id', '=', importId).execute()
    return { added, already: rows.length - added, readingsCount }
  })
}

/** As the column holds it: a number too small for it is 0 there, and not an error. */
const toReal = <Value extends number | null>(value: Value) => (value === null ? value : Math.fround(value)) as Value

function rowsOf({ at, airCelsius, humidityPercent, leafCelsius, co2Ppm }: Parsed<(typeof addContract)['body']>): ReadingRow[] {
  return at.map((seconds, i) => {
    const air = toReal(airCelsius[i] as number)
    const humidity = toReal(humidityPercent[i] as number)
    const leaf = toReal(leafCelsius?.[i] ?? null)
    return {
      readAt: new Date(seconds * 1000).toISOString(),
      airCelsius: air,
      humidityPercent: humidity,
      leafCelsius: leaf,
      co2Ppm: toReal(co2Ppm?.[i] ?? null),
      vpdKpa: vpdOfReading(air, humidity, leaf),
    }
  })
}

async function requireReadingRoom(tx: Tx, held: { hunt_id: string; readings_count: number }, more: number): Promise<void> {
  if (held.readings_count + more > maxReadingsOfFile) {
    throw new AppError('conflict', { message: `A file can have at most ${maxReadingsOfFile.toLocaleString('en')} readings. Split it.` })
  }
  const { readings } = await tx
    .selectFrom('climate_imports')
    .select(sql<number>`coalesce(sum(readings_count), 0)::bigint`.as('readings'))
    .where('hunt_id', '=', held.hunt_id)
    .executeTakeFirstOrThrow()
  if (readings + more > maxReadingsOfHunt) {
    throw new AppError('conflict', {
      message: `A hunt can have at most ${maxReadingsOfHunt.toLocaleString('en')} readings. Undo an import that you need no longer.`,
    })
  }
}

/** Takes out what a file added. @throws AppError not_found, forbidden */
export async function undoImport(ctx: Ctx, actor: Actor, importId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const held = await holdImport(tx, actor, importId)
    // Its readings go with it.
    await tx.deleteFrom('climate_imports').where('id', '=', importId).execute()
    await tx
      .deleteFrom('climate_sensors')
      .where('id', '=', held.sensor_id)
      .where((eb) =>
        eb.not(eb.exists(eb.selectFrom('climate_imports').select('id').whereRef('climate_imports.sensor_id', '=', 'climate_sensors.id'))),
      )
      .execute()
  })
}
