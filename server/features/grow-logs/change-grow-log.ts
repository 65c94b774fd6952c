import type { GrowLog, GrowLogChange } from '../../../contracts/grow-logs.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField, notFound } from '../../kernel/errors.ts'
import { recordHuntEvents, requireHuntWords } from '../hunts/index.ts'
import { requireReadyMedia } from '../media/index.ts'
import { genotypesOfPlants } from '../plants/index.ts'
import { lockLog, logRows, replacePhotos } from './grow-logs.queries.ts'
import { changed, columnsOf, contentOfRow, isSame, type LogContent } from './log-content.ts'
import { dayIssue } from './log-day.ts'
import { readGrowLog, requireLog } from './read-grow-logs.ts'

/**
 * Corrects a log and keeps what it said. A change that is there already, as when its answer was lost, answers the log as it is.
 * @throws AppError not_found, forbidden, invalid_input, conflict where somebody changed it meanwhile
 */
export async function changeGrowLog(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  logId: string,
  { version, ...change }: GrowLogChange,
): Promise<GrowLog> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const { huntId } = await requireLog(tx, actor, logId, 'write', { lock: 'share' })
    await lockLog(tx, logId)
    const [row] = await logRows(tx, [logId])
    if (!row || row.deleted_at !== null) throw notFound('There is no such log.')
    const before = contentOfRow(row)
    const after = changed(before, { version, ...change })
    if (isSame(before, after)) return readGrowLog(tx, actor, logId)
    if (row.version !== version) {
      throw new AppError('conflict', { message: 'This log was changed meanwhile. Look at what it says now, and choose what is to stay.' })
    }
    await requireHuntWords(tx, actor, huntId, change)
    const genotypeId = await genotypeOf(tx, huntId, after.plantId)
    const day = dayIssue(after.loggedOn, now)
    if (day && change.loggedOn !== undefined) throw invalidField('loggedOn', day)
    if (change.mediaIds) await changePhotos(tx, actor.id, logId, before, after)
    await tx
      .insertInto('grow_log_versions')
      .values({ log_id: logId, version: row.version, said: JSON.stringify(before), changed_by: actor.id, changed_at: now })
      .execute()
    await tx
      .updateTable('grow_logs')
      .set({ ...columnsOf(after), version: row.version + 1, updated_at: now })
      .where('id', '=', logId)
      .execute()
    await recordHuntEvents(tx, [
      {
        huntId,
        kind: 'log.changed',
        genotypeId,
        plantId: after.plantId,
        subjectId: logId,
        detail: { version: row.version + 1, heightCm: after.heightCm, rating: after.rating },
        happenedOn: after.loggedOn,
        recordedBy: actor.id,
        now,
      },
    ])
    return readGrowLog(tx, actor, logId)
  })
}

async function genotypeOf(tx: Tx, huntId: string, plantId: string | null): Promise<string | null> {
  if (plantId === null) return null
  const genotypeId = (await genotypesOfPlants(tx, huntId, [plantId])).get(plantId)
  if (!genotypeId) throw invalidField('plantId', 'This plant is not in this hunt')
  return genotypeId
}

/** What is on the log already may stay, whoever took it. @throws AppError invalid_input */
async function changePhotos(tx: Tx, userId: string, logId: string, before: LogContent, after: LogContent): Promise<void> {
  if (new Set(after.mediaIds).size < after.mediaIds.length) throw invalidField('mediaIds', 'Each photo only once')
  const fresh = after.mediaIds.filter((id) => !before.mediaIds.includes(id))
  await requireReadyMedia(tx, userId, fresh, { kinds: ['image'] })
  await replacePhotos(tx, logId, after.mediaIds)
}
