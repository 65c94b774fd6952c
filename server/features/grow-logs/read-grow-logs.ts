import { sql } from 'kysely'
import { vaporPressureDeficit } from '#agronomy/vpd.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import type { listGrowLogs as listContract } from '#contracts/grow-logs.endpoints.ts'
import { type GrowLog, type GrowLogVersion, type Growth, maxGrowthPoints, type PhotosOfDay, type PlantOfLog } from '#contracts/grow-logs.ts'
import type { Media } from '#contracts/media.ts'
import type { Person } from '#contracts/people.ts'
import type { Db } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { type HuntAccess, huntAccess, requireHunt, requireHuntOfRow } from '#server/features/hunts/index.ts'
import { type MayReadMedia, mediaOf } from '#server/features/media/index.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import {
  contentOfRow,
  dayOfPlant,
  type GrowLogRow,
  type LogContent,
  logKeys,
  logRows,
  placeOfLog,
  versionRows,
  weekOfLog,
} from './grow-logs.queries.ts'

const missing = 'Log not found.'
const noLog = () => notFound(missing)

/**
 * Every call about one existing log checks access here. A log in a hunt the viewer can't see looks missing.
 * @throws AppError not_found, forbidden
 */
export async function requireLog(
  db: Db,
  actor: Pick<Actor, 'id'>,
  logId: string,
  wanted: HuntAccess,
  options: { lock?: 'share'; alsoDeleted?: boolean } = {},
): Promise<{ huntId: Authorized<'hunts'> }> {
  const { lock, alsoDeleted = false } = options
  const log = await placeOfLog(db, logId)
  const hunt = await requireHuntOfRow(db, actor, log, missing, wanted, lock ? { lock } : {})
  if (log?.deleted_at !== null && !alsoDeleted) throw noLog()
  return { huntId: hunt.id }
}

/** @throws AppError not_found */
export async function loadGrowLog(db: Db, actor: Actor, logId: string): Promise<GrowLog> {
  const { huntId } = await requireLog(db, actor, logId, 'view')
  return readGrowLog(db, actor, huntId, logId)
}

/** @throws AppError not_found */
export async function readGrowLog(db: Db, viewer: Pick<Actor, 'id'>, huntId: Authorized<'hunts'>, logId: string): Promise<GrowLog> {
  const [log] = await readGrowLogs(db, viewer, huntId, [logId])
  if (!log) throw noLog()
  return log
}

/** In the order of the IDs. */
export async function readGrowLogs(
  db: Db,
  viewer: Pick<Actor, 'id'>,
  huntId: Authorized<'hunts'>,
  ids: readonly string[],
): Promise<GrowLog[]> {
  if (ids.length === 0) return []
  const all = (await logRows(db, ids)).filter((row) => row.hunt_id === huntId)
  const rows = new Map(all.map((row) => [row.id, row]))
  const mediaIds = all.flatMap((row) => row.media_ids)
  const media = await mediaOf(db, mediaIds)
  const authorIds = all.map((row) => row.author_id)
  const people = await visiblePeople(db, viewer.id, authorIds)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [toGrowLog(row, media, people)] : []
  })
}

type Query = Parsed<(typeof listContract)['query']>

/** @throws AppError not_found about the hunt, invalid_input about the cursor */
export async function listGrowLogs(db: Db, actor: Actor, { limit, cursor, ...filter }: Query): Promise<Page<GrowLog>> {
  const hunt = await requireHunt(db, actor, filter.huntId, 'view')
  // The day is decoded as a time at midnight, because that rejects a forged cursor without a valid date.
  const after = decodeCursor(cursor, ['time', 'time', 'id'])
  const place = after && { loggedOn: after[0].slice(0, 10), createdAt: after[1], id: after[2] }
  const keys = await logKeys(db, filter, place, limit + 1)
  const keyOf = ({ logged_on, created_at, id }: (typeof keys)[number]) => [`${logged_on}T00:00:00.000Z`, created_at.toISOString(), id]
  const { items, nextCursor } = toPage(keys, limit, keyOf)
  const ids = items.map(({ id }) => id)
  return { items: await readGrowLogs(db, actor, hunt.id, ids), nextCursor }
}

/**
 * For writers only, because text removed from a public log was removed for a reason.
 * @throws AppError not_found, forbidden
 */
export async function listVersions(db: Db, actor: Actor, logId: string): Promise<GrowLogVersion[]> {
  await requireLog(db, actor, logId, 'write')
  const rows = await versionRows(db, logId)
  const editorIds = rows.map((row) => row.changed_by)
  const people = await visiblePeople(db, actor.id, editorIds)
  return rows.map((row) => {
    const { mediaIds, ...said } = row.said as LogContent
    return {
      ...said,
      photosCount: mediaIds.length,
      version: row.version,
      changedBy: (row.changed_by !== null && people.get(row.changed_by)) || null,
      changedAt: row.changed_at.toISOString(),
    }
  })
}

/** Heights and ratings from the newest logs, by plant number. @throws AppError not_found */
export async function getGrowth(db: Db, actor: Actor, huntId: string): Promise<Growth> {
  await requireHunt(db, actor, huntId, 'view')
  const newest = await growthRows(db, huntId)
  const plants = new Map<string, Growth['plants'][number]>()
  for (const row of newest.slice(0, maxGrowthPoints).reverse()) {
    const plant = toPlantOfLog(row)
    if (!plant) continue
    const curve = plants.get(plant.id) ?? { plant, points: [] }
    const { log_id, logged_on, day, week, height_cm, rating } = row
    curve.points.push({ logId: log_id, on: logged_on, day, week, heightCm: height_cm, rating })
    plants.set(plant.id, curve)
  }
  return {
    plants: [...plants.values()].sort((a, b) => a.plant.number - b.plant.number || a.plant.copy - b.plant.copy),
    isComplete: newest.length <= maxGrowthPoints,
  }
}

/** Newest first, one more than the limit. */
const growthRows = (db: Db, huntId: string) =>
  db
    .selectFrom('grow_logs')
    .innerJoin('hunts', 'hunts.id', 'grow_logs.hunt_id')
    .innerJoin('plants', 'plants.id', 'grow_logs.plant_id')
    .innerJoin('genotypes', 'genotypes.id', 'plants.genotype_id')
    .select(['grow_logs.id as log_id', 'grow_logs.plant_id', 'grow_logs.logged_on', 'grow_logs.height_cm', 'grow_logs.rating'])
    .select(['plants.genotype_id', 'plants.copy', 'plants.code', 'genotypes.number', 'genotypes.label'])
    .select([dayOfPlant.as('day'), weekOfLog.as('week')])
    .where('grow_logs.hunt_id', '=', huntId)
    .where('grow_logs.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('grow_logs.height_cm', 'is not', null), eb('grow_logs.rating', 'is not', null)]))
    .orderBy('grow_logs.logged_on', 'desc')
    // Not by ID within a day, because IDs derived from a program's references aren't chronological.
    .orderBy('grow_logs.created_at', 'desc')
    .orderBy('grow_logs.id', 'desc')
    .limit(maxGrowthPoints + 1)
    .execute()

/** A log's photos are visible to everyone who may see its hunt, unless the log was deleted. */
export const mayReadLogPhoto: MayReadMedia = async (db, actor, logIds) => {
  const log = await db
    .selectFrom('grow_logs')
    .innerJoin('hunts', 'hunts.id', 'grow_logs.hunt_id')
    .select('grow_logs.id')
    .where(sql<boolean>`grow_logs.id = ${pageIds(logIds)}`)
    .where('grow_logs.deleted_at', 'is', null)
    .where(sql<boolean>`${huntAccess(sql`${actor.id}::uuid`)} is not null`)
    .executeTakeFirst()
  return log !== undefined
}

/**
 * Photos of a hunt: from logs and from trait observations. `offset 0` forces a lookup per log; otherwise the planner scans everyone's logs
 * in ID order.
 */
const photosOf = (huntId: string) => sql`
  select grow_logs.logged_on as day, grow_logs.plant_id, shown.media_id, grow_logs.id as log_id, null::uuid as observation_id, shown.position
  from grow_logs cross join lateral (
    select media_id, position from grow_log_photos where grow_log_photos.log_id = grow_logs.id offset 0) as shown
  where grow_logs.hunt_id = ${huntId}::uuid and grow_logs.deleted_at is null
  union all
  select observed_on, plant_id, media_id, null::uuid, id, 0
  from observations
  where hunt_id = ${huntId}::uuid and is_current and not is_withdrawn and media_id is not null`

type PhotoRow = {
  added_at: Date
  media_id: string
  log_id: string | null
  observation_id: string | null
  plant_id: string | null
  genotype_id: string | null
  number: number | null
  copy: number | null
  label: string | null
  code: string | null
}

/** @throws AppError not_found */
export async function photosOfDay(db: Db, actor: Actor, huntId: string, wanted: string | undefined): Promise<PhotosOfDay> {
  await requireHunt(db, actor, huntId, 'view')
  const { rows: days } = await sql<{ day: string; photos: number }>`
    select day, count(*)::int as photos from (${photosOf(huntId)}) as photos group by day order by day desc`.execute(db)
  const on = wanted ?? days[0]?.day ?? null
  const rows = on === null ? [] : await rowsOfDay(db, huntId, on)
  const mediaIds = rows.map((row) => row.media_id)
  const media = await mediaOf(db, mediaIds)
  const plants = new Map<string | null, PhotosOfDay['plants'][number]>()
  for (const row of rows) {
    const shown = media.get(row.media_id)
    if (!shown) continue
    const entry = plants.get(row.plant_id) ?? { plant: toPlantOfLog(row), photos: [] }
    entry.photos.push({ media: shown, logId: row.log_id, observationId: row.observation_id, addedAt: row.added_at.toISOString() })
    plants.set(row.plant_id, entry)
  }
  return { on, days: days.map(({ day, photos }) => ({ on: day, photosCount: photos })), plants: [...plants.values()] }
}

async function rowsOfDay(db: Db, huntId: string, on: string): Promise<PhotoRow[]> {
  const { rows } = await sql<PhotoRow>`
    select photos.media_id, photos.log_id, photos.observation_id, photos.plant_id, media.created_at as added_at,
      plants.genotype_id, plants.copy, plants.code, genotypes.number, genotypes.label
    from (${photosOf(huntId)}) as photos
    join media on media.id = photos.media_id
    left join plants on plants.id = photos.plant_id
    left join genotypes on genotypes.id = plants.genotype_id
    where photos.day = ${on}::date
    order by genotypes.number nulls first, plants.copy nulls first, photos.log_id nulls last, photos.position, photos.observation_id`.execute(
    db,
  )
  return rows
}

type PlantColumns = Pick<GrowLogRow, 'plant_id' | 'genotype_id' | 'number' | 'copy' | 'label' | 'code'>

function toPlantOfLog({ plant_id, genotype_id, number, copy, label, code }: PlantColumns): PlantOfLog | null {
  if (plant_id === null || genotype_id === null || number === null || copy === null || code === null) return null
  return { id: plant_id, genotypeId: genotype_id, number, copy, label: label ?? '', code }
}

/** Null without a usable air temperature and humidity. Three decimals exceed any sensor's precision. */
export function vpdOf(air: number | null, humidity: number | null, leaf: number | null): number | null {
  if (air === null || humidity === null) return null
  const vpd = vaporPressureDeficit(air, humidity, leaf)
  return vpd === null ? null : Math.round(vpd * 1000) / 1000
}

function toGrowLog(row: GrowLogRow, media: ReadonlyMap<string, Media>, people: ReadonlyMap<string, Person>): GrowLog {
  const { plantId: _, mediaIds, ...content } = contentOfRow(row)
  return {
    ...content,
    id: row.id,
    huntId: row.hunt_id,
    plant: toPlantOfLog(row),
    week: row.shown_week,
    isWeekStated: row.week !== null,
    vpdKpa: vpdOf(row.air_celsius, row.humidity_percent, row.leaf_celsius),
    photos: mediaIds.flatMap((id) => media.get(id) ?? []),
    author: (row.author_id !== null && people.get(row.author_id)) || null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
