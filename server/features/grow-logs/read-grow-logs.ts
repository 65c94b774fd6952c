import type { Parsed } from '../../../contracts/endpoint.ts'
import type { GrowLog, GrowLogVersion, listGrowLogs as listContract } from '../../../contracts/grow-logs.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { type HuntAccess, requireHunt, requireHuntOfRow } from '../hunts/index.ts'
import { mediaOf } from '../media/index.ts'
import { visiblePeople } from '../people/index.ts'
import { logKeys, logRows, placeOfLog, versionRows } from './grow-logs.queries.ts'
import { toGrowLog } from './grow-logs.view.ts'
import type { LogContent } from './log-content.ts'

const missing = 'There is no such log.'
const noLog = () => notFound(missing)

/**
 * The gate of every call about one log: whoever may not see its hunt learns no more than that there is no such log.
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

/** Of somebody who may see it. @throws AppError not_found */
export async function readGrowLog(db: Db, viewer: Pick<Actor, 'id'>, logId: string): Promise<GrowLog> {
  const [log] = await readGrowLogs(db, viewer, [logId])
  if (!log) throw noLog()
  return log
}

/** In the order of the ids. Whoever asks has asked who may see them. */
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
  // A day is a time at midnight, so that a forged cursor cannot reach the query.
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
 * What a log said before. Only for those who write: what was taken out of a log that everybody may see was taken out for a reason.
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
