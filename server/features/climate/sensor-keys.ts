import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type SensorKey, SentReadings } from '#contracts/climate.endpoints.ts'
import { figure } from '#contracts/fields.ts'
import { maxReadingsOfFile, maxReadingsOfHunt, maxSentReadings } from '#contracts/limits.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import type { ProgramAccess } from '#server/features/accounts/index.ts'
import { requireHunt, requireHuntOfRow, requireHuntWords } from '#server/features/hunts/index.ts'
import { bylineColumns, isAccountActive, isNotBlocked, toPersonOrNull } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { addressGroup } from '#server/kernel/client-address.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, invalidInput } from '#server/kernel/errors.ts'
import { hashedId, newId } from '#server/kernel/ids.ts'
import { requireOwnOrigin } from '#server/kernel/own-origin.ts'
import type { Api } from '#server/kernel/route.ts'
import { hashOfSecret, newSecret } from '#server/kernel/secrets.ts'
import { insertReadings, lockSensor, type ReadingRow, removeEmptySensor } from './climate.queries.ts'
import { findOrCreateSensor, readingsOfHunt, requireImportRoom, toReading } from './climate-imports.ts'

/** Lets scanners for leaked secrets recognize a key, and distinguishes it from keys of people and businesses. */
const prefix = 'sgs_'
const pattern = /^Bearer +(sgs_[A-Za-z0-9_-]{43})$/i

const selectKeys = (db: Db, viewerId: string) =>
  db
    .selectFrom('sensor_keys')
    .innerJoin('climate_sensors', 'climate_sensors.id', 'sensor_keys.sensor_id')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'sensor_keys.created_by').on(isNotBlocked(sql`${viewerId}::uuid`, sql`users.id`)),
    )
    .select(['sensor_keys.id as key_id', 'sensor_keys.sensor_id', 'climate_sensors.name as sensor_name', 'secret_end'])
    .select(['sensor_keys.created_at as made_at', 'sensor_keys.last_used_at'])
    .select(bylineColumns)

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number]

const toSensorKey = (row: KeyRow): SensorKey => ({
  id: row.key_id,
  sensor: { id: row.sensor_id, name: row.sensor_name },
  secretEnd: row.secret_end,
  createdBy: toPersonOrNull(row),
  createdAt: row.made_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

/** @throws AppError not_found, forbidden */
export async function listSensorKeys(db: Db, actor: Actor, huntId: string): Promise<SensorKey[]> {
  await requireHunt(db, actor, huntId, 'write')
  const rows = await selectKeys(db, actor.id).where('sensor_keys.hunt_id', '=', huntId).orderBy('climate_sensors.name').execute()
  return rows.map(toSensorKey)
}

/**
 * Creates a key for a room, and the room's sensor if it has none. The secret is returned once and not stored, so the call isn't
 * idempotent: a repeated call gets a conflict.
 * @throws AppError not_found, forbidden, muted, invalid_input about the name, conflict if the room has a key or there are too many
 * sensors
 */
export async function createSensorKey(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  huntId: string,
  input: { sensorName: string },
): Promise<{ key: SensorKey; secret: string }> {
  const now = ctx.clock.now()
  const secret = newSecret(prefix)
  const id = newId()
  try {
    return await inTransaction(ctx.db, async (tx) => {
      await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
      await requireHuntWords(tx, actor, huntId, input)
      const sensor_id = await findOrCreateSensor(tx, huntId, input.sensorName, now)
      const secrets = { secret_hash: hashOfSecret(secret), secret_end: secret.slice(-4) }
      await tx
        .insertInto('sensor_keys')
        .values({ id, hunt_id: huntId, sensor_id, ...secrets, created_by: actor.id, created_at: now })
        .execute()
      return { key: toSensorKey(await selectKeys(tx, actor.id).where('sensor_keys.id', '=', id).executeTakeFirstOrThrow()), secret }
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'sensor_keys_sensor_id_key')) throw error
    throw new AppError('conflict', {
      message: `“${input.sensorName}” already has a key. Revoke it first to replace it.`,
      fields: { sensorName: 'This room already has a key' },
    })
  }
}

/** The key's readings are kept. @throws AppError not_found, forbidden */
export async function revokeSensorKey(ctx: Pick<Context, 'db'>, actor: Actor, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const key = await tx.selectFrom('sensor_keys').select(['hunt_id', 'sensor_id']).where('id', '=', id).executeTakeFirst()
    await requireHuntOfRow(tx, actor, key, 'Key not found.', 'write', { lock: 'share' })
    if (key) await removeKey(tx, { id, ...key })
  })
}

export const sensorKeyAccess: ProgramAccess = {
  async endSince(tx, { userId, since }) {
    const keys = await tx
      .selectFrom('sensor_keys')
      .select(['id', 'sensor_id'])
      .where('created_by', '=', userId)
      .where('created_at', '>=', since)
      .orderBy('sensor_id')
      .execute()
    for (const key of keys) await removeKey(tx, key)
  },
}

async function removeKey(tx: Tx, { id, sensor_id }: { id: string; sensor_id: string }): Promise<void> {
  await lockSensor(tx, sensor_id)
  await tx.deleteFrom('sensor_keys').where('id', '=', id).execute()
  await removeEmptySensor(tx, sensor_id)
}

type WorkingKey = { id: string; huntId: string; sensorId: string; createdBy: string }

/**
 * Reads the database for every call, so that a revoked key stops immediately. The key acts for its creator, so it stops while their
 * account isn't active.
 */
async function readKey(ctx: Context, authorization: string | undefined): Promise<WorkingKey | null> {
  const [, secret] = pattern.exec(authorization ?? '') ?? []
  if (secret === undefined) return null
  const row = await ctx.db
    .selectFrom('sensor_keys')
    .innerJoin('users', 'users.id', 'sensor_keys.created_by')
    .select(['sensor_keys.id', 'hunt_id', 'sensor_id', 'created_by'])
    .where('secret_hash', '=', hashOfSecret(secret))
    .where(isAccountActive(ctx))
    .executeTakeFirst()
  return row ? { id: row.id, huntId: row.hunt_id, sensorId: row.sensor_id, createdBy: row.created_by } : null
}

const notWorking = () =>
  new AppError('signed_out', {
    message: 'Send a working room key as “Authorization: Bearer …”. Create one in the hunt: Climate, Connect a sensor.',
  })

const url = '/api/sensor-readings'

export const sensorRoutes = [`POST ${url}`]

/** More than the largest batch needs. */
const maxBytes = 128 * 1024

/**
 * Accepts flat JSON, as hubs send it. Checks the key and the limit before reading the body. Ignores sessions, so that a
 * browser's cookie has no effect.
 */
export function receiveSensorReadings({ app, ctx }: Api): void {
  const admitted = new WeakMap<FastifyRequest, WorkingKey>()
  app.route({
    method: 'POST',
    url,
    bodyLimit: maxBytes,
    onRequest: async (request) => {
      requireOwnOrigin(request, ctx.config)
      const key = await readKey(ctx, request.headers.authorization)
      await ctx.rateLimiter.consume('sensor', key ? `sensor:${key.id}` : `address:${addressGroup(request.ip)}`)
      if (!key) throw notWorking()
      admitted.set(request, key)
    },
    handler: async (request, reply) => {
      const key = admitted.get(request)
      if (!key) throw notWorking()
      reply.header('cache-control', 'no-store')
      return addSentReadings(ctx, key, request.body)
    },
  })
}

/**
 * Adds readings for seconds that the sensor doesn't have yet, all or nothing.
 * @throws AppError signed_out if the key's creator may no longer edit the hunt, invalid_input, conflict at the limits
 */
async function addSentReadings(ctx: Context, key: WorkingKey, body: unknown): Promise<{ added: number; already: number }> {
  const now = ctx.clock.now()
  const rows = readRows(body, now)
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, { id: key.createdBy }, key.huntId, 'write', { lock: 'share' }).catch((error: unknown) => {
      throw error instanceof AppError ? notWorking() : error
    })
    await lockSensor(tx, key.sensorId)
    // Revoking a key also locks the sensor, and removes it if it has no imports.
    const working = await tx.selectFrom('sensor_keys').select('id').where('id', '=', key.id).executeTakeFirst()
    if (!working) throw notWorking()
    const importId = await importOfMonth(tx, key, now)
    const { readings_count: before } = await tx
      .selectFrom('climate_imports')
      .select('readings_count')
      .where('id', '=', importId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const added = await insertReadings(tx, key.sensorId, importId, rows)
    await requireRoom(tx, key.huntId, before + added, added)
    await tx
      .updateTable('climate_imports')
      .set({ readings_count: before + added })
      .where('id', '=', importId)
      .execute()
    await tx.updateTable('sensor_keys').set({ last_used_at: now }).where('id', '=', key.id).execute()
    return { added, already: rows.length - added }
  })
}

/** Hubs that were offline send stored readings, but a time in the future means that the clock is wrong. */
const maxAheadMs = 10 * 60_000

/** @throws AppError invalid_input */
function readRows(body: unknown, now: Date): ReadingRow[] {
  const isBatch = Array.isArray(body) || (typeof body === 'object' && body !== null && 'readings' in body)
  const given = Array.isArray(body) ? body : isBatch ? (body as { readings: unknown }).readings : [body]
  if (Array.isArray(given) && given.length > maxSentReadings) {
    throw invalidField('readings', `Send up to ${maxSentReadings} readings at once`)
  }
  const { success, data, error } = SentReadings.safeParse(given)
  // Error paths need no index if a single reading was sent.
  if (!success) throw invalidInput(error.issues.map(({ path, message }) => ({ path: isBatch ? path : path.slice(1), message })))
  const rows = data.map((sent, i) => {
    const at = sent.time === undefined ? now : new Date(sent.time)
    const field = isBatch ? `${i}.time` : 'time'
    if (at.getTime() > now.getTime() + maxAheadMs) throw invalidField(field, 'This time is in the future. Check the sensor’s clock.')
    const celsius = <Value extends number | null>(value: Value) =>
      (value !== null && sent.unit === 'F' ? ((value - 32) * 5) / 9 : value) as Value
    const reading = {
      seconds: Math.floor(at.getTime() / 1000),
      airCelsius: celsius(sent.temperature),
      humidityPercent: sent.humidity,
      leafCelsius: celsius(sent.leafTemperature ?? null),
      co2Ppm: sent.co2 ?? null,
    }
    for (const [name, value] of Object.entries({ temperature: reading.airCelsius, leafTemperature: reading.leafCelsius })) {
      if (value !== null && (value < -40 || value > 60)) {
        throw invalidField(isBatch ? `${i}.${name}` : name, 'Must be from −40 to 60 °C. Send "unit": "F" for Fahrenheit.')
      }
    }
    return toReading(reading)
  })
  return rows.sort((one, other) => (one.readAt < other.readAt ? -1 : 1))
}

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A key's readings from one month are listed, and can be undone, like an imported file. The ID is derived from the key and the month. */
async function importOfMonth(tx: Tx, key: WorkingKey, now: Date): Promise<string> {
  const month = now.toISOString().slice(0, 7)
  const id = hashedId(`${key.id} ${month}`)
  const known = await tx.selectFrom('climate_imports').select('id').where('id', '=', id).executeTakeFirst()
  if (known) return id
  await requireImportRoom(tx, key.huntId)
  await tx
    .insertInto('climate_imports')
    .values({
      ...{ id, hunt_id: key.huntId, sensor_id: key.sensorId, file_name: `Live readings, ${monthFormat.format(now)}`, time_zone: 'UTC' },
      ...{ imported_by: key.createdBy, created_at: now },
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return id
}

async function requireRoom(tx: Tx, huntId: string, ofMonth: number, added: number): Promise<void> {
  if (ofMonth > maxReadingsOfFile) {
    throw new AppError('conflict', {
      message: `A room can add up to ${figure(maxReadingsOfFile)} readings a month. Send one a minute or fewer.`,
    })
  }
  if ((await readingsOfHunt(tx, huntId)) + added > maxReadingsOfHunt) {
    throw new AppError('conflict', {
      message: `A hunt can have up to ${figure(maxReadingsOfHunt)} readings. Undo an import you no longer need.`,
    })
  }
}
