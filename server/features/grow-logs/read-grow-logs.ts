import type { Parsed } from '#contracts/endpoint.ts'
import { type GrowLog, type GrowLogVersion, type Growth, type listGrowLogs as listContract, maxGrowthPoints } from '#contracts/grow-logs.ts'
import type { Db } from '#server/db/connect.ts'
import { type HuntAccess, requireHunt, requireHuntOfRow } from '#server/features/hunts/index.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { dayOfPlant, logKeys, logRows, placeOfLog, versionRows, weekOfLog } from './grow-logs.queries.ts'
import { toGrowLog, toPlantOfLog } from './grow-logs.view.ts'
import type { LogContent } from './log-content.ts'

const missing = 'Log not found.'
const noLog = () => notFound(missing)

/**
 * Access check of every call on a log. A log in a hunt the viewer can't see looks missing.
 * @throws AppError not_found, forbidden
 */
export async function requireLog(
  db: Db,
  actor: Pick<Actor, 'id'>,
  logId: string,
  wanted: HuntAccess,
  options: { lock?: 'share'; alsoDeleted?: boolean } = {},
): Promise<{ huntId: string }> {
  const { lock, alsoDeleted = false } = options
  const log = await placeOfLog(db, logId)
  const hunt = await requireHuntOfRow(db, actor, log, missing, wanted, lock ? { lock } : {})
  if (log?.deleted_at !== null && !alsoDeleted) throw noLog()
  return { huntId: hunt.id }
}

/** @throws AppError not_found */
export async function loadGrowLog(db: Db, actor: Actor, logId: string): Promise<GrowLog> {
  await requireLog(db, actor, logId, 'view')
  return readGrowLog(db, actor, logId)
}

/** The caller must have checked access. @throws AppError not_found */
export async function readGrowLog(db: Db, viewer: Pick<Actor, 'id'>, logId: string): Promise<GrowLog> {
  const [log] = await readGrowLogs(db, viewer, [logId])
  if (!log) throw noLog()
  return log
}

/** In the order of the ids. The caller must have checked access. */
export async function readGrowLogs(db: Db, viewer: Pick<Actor, 'id'>, ids: readonly string[]): Promise<GrowLog[]> {
  if (ids.length === 0) return []
  const rows = new Map((await logRows(db, ids)).map((row) => [row.id, row]))
  const all = [...rows.values()]
  const media = await mediaOf(
    db,
    all.flatMap((row) => row.media_ids),
  )
  const people = await visiblePeople(
    db,
    viewer.id,
    all.map((row) => row.author_id),
  )
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [toGrowLog(row, media, people)] : []
  })
}

type Query = Parsed<(typeof listContract)['query']>

/** @throws AppError not_found about the hunt, invalid_input about the cursor */
export async function listGrowLogs(db: Db, actor: Actor, { limit, cursor, ...filter }: Query): Promise<Page<GrowLog>> {
  await requireHunt(db, actor, filter.huntId, 'view')
  // Decoded as a time at midnight, so that a forged cursor cannot reach the query.
  const after = decodeCursor(cursor, ['time', 'id'])
  const keys = await logKeys(db, filter, after && { loggedOn: after[0].slice(0, 10), id: after[1] }, limit + 1)
  const { items, nextCursor } = toPage(keys, limit, ({ logged_on, id }) => [`${logged_on}T00:00:00.000Z`, id])
  return {
    items: await readGrowLogs(
      db,
      actor,
      items.map(({ id }) => id),
    ),
    nextCursor,
  }
}

/**
 * Previous versions of a log. Writers only: text removed from a public log was removed for a reason.
 * @throws AppError not_found, forbidden
 */
export async function listVersions(db: Db, actor: Actor, logId: string): Promise<GrowLogVersion[]> {
  await requireLog(db, actor, logId, 'write')
  const rows = await versionRows(db, logId)
  const people = await visiblePeople(
    db,
    actor.id,
    rows.map((row) => row.changed_by),
  )
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

/** Heights and ratings of every plant, by plant number. @throws AppError not_found */
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
    .orderBy('grow_logs.id', 'desc')
    .limit(maxGrowthPoints + 1)
    .execute()
