import { sql } from 'kysely'
import { daysToRestore, type GrowLog, type GrowLogChange } from '#contracts/grow-logs.ts'
import { dayMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type HuntEventKind, recordHuntEvents, requireHuntWords } from '#server/features/hunts/index.ts'
import { requireReadyMedia, syncMediaUses } from '#server/features/media/index.ts'
import { genotypesOfPlants } from '#server/features/plants/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import {
  applyChange,
  columnsOf,
  contentOfRow,
  dayIssue,
  isSame,
  type LogContent,
  lockLog,
  logRows,
  replacePhotos,
} from './grow-logs.queries.ts'
import { readGrowLog, requireLog } from './read-grow-logs.ts'

/**
 * Corrects a log and saves the previous version. A change that was already made, such as a retry after a lost response,
 * returns the log as it is.
 * @throws AppError not_found, forbidden, muted, invalid_input, conflict if the log was changed in the meantime
 */
export async function updateGrowLog(
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
    if (!row || row.deleted_at !== null) throw notFound('Log not found.')
    const before = contentOfRow(row)
    const after = applyChange(before, { version, ...change })
    if (isSame(before, after)) return readGrowLog(tx, actor, huntId, logId)
    if (row.version !== version) {
      throw new AppError('conflict', {
        message: 'This log was changed in the meantime. Check the current version and choose what to keep.',
      })
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
    return readGrowLog(tx, actor, huntId, logId)
  })
}

async function genotypeOf(tx: Tx, huntId: string, plantId: string | null): Promise<string | null> {
  if (plantId === null) return null
  const genotypeId = (await genotypesOfPlants(tx, huntId, [plantId])).get(plantId)
  if (!genotypeId) throw invalidField('plantId', 'This plant isn’t in this hunt')
  return genotypeId
}

/** Photos already on the log may remain, regardless of who took them. @throws AppError invalid_input */
async function changePhotos(tx: Tx, userId: string, logId: string, before: LogContent, after: LogContent): Promise<void> {
  if (new Set(after.mediaIds).size < after.mediaIds.length) throw invalidField('mediaIds', 'Add each photo only once')
  const fresh = after.mediaIds.filter((id) => !before.mediaIds.includes(id))
  await requireReadyMedia(tx, userId, fresh, { kinds: ['image'] })
  await replacePhotos(tx, logId, after.mediaIds)
}

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * Soft-deletes a log with its photos. Idempotent; see `restoreGrowLog`.
 * @throws AppError not_found, forbidden, conflict if `version` is given and outdated
 */
export async function deleteGrowLog(ctx: Ctx, actor: Actor, logId: string, version: number | undefined): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { row } = await lockOwnLog(tx, actor, logId)
    if (row.deleted_at !== null) return
    if (version !== undefined && row.version !== version) {
      throw new AppError('conflict', { message: 'This log was changed in the meantime. Check the current version before you delete it.' })
    }
    const now = ctx.clock.now()
    await tx.updateTable('grow_logs').set({ deleted_at: now }).where('id', '=', logId).execute()
    await recordEvent(tx, actor, row, 'log.deleted', now)
  })
}

/** @throws AppError not_found, including once the log has been purged; forbidden, muted, invalid_input about text that may not be shown */
export async function restoreGrowLog(ctx: Ctx, actor: Actor, logId: string): Promise<GrowLog> {
  return inTransaction(ctx.db, async (tx) => {
    const { huntId, row } = await lockOwnLog(tx, actor, logId)
    if (row.deleted_at !== null) {
      await requireHuntWords(tx, actor, row.hunt_id, contentOfRow(row))
      await tx.updateTable('grow_logs').set({ deleted_at: null }).where('id', '=', logId).execute()
      await recordEvent(tx, actor, row, 'log.changed', ctx.clock.now())
    }
    return readGrowLog(tx, actor, huntId, logId)
  })
}

type Row = Awaited<ReturnType<typeof lockOwnLog>>['row']

async function lockOwnLog(tx: Tx, actor: Actor, logId: string) {
  const { huntId } = await requireLog(tx, actor, logId, 'write', { lock: 'share', alsoDeleted: true })
  await lockLog(tx, logId)
  const [row] = await logRows(tx, [logId])
  if (!row) throw notFound('Log not found.')
  return { huntId, row }
}

const recordEvent = (tx: Tx, actor: Actor, row: Row, kind: HuntEventKind, now: Date) =>
  recordHuntEvents(tx, [
    {
      huntId: row.hunt_id,
      kind,
      genotypeId: row.genotype_id,
      plantId: row.plant_id,
      subjectId: row.id,
      detail: kind === 'log.changed' ? { restored: true } : {},
      happenedOn: row.logged_on,
      recordedBy: actor.id,
      now,
    },
  ])

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    /** Purges logs that can no longer be restored; their photos become unattached and are swept later. */
    'grow-logs.purge': Record<string, never>
  }
}

const batch = 500

export function growLogJobs(ctx: Pick<Context, 'db' | 'clock'>): Pick<JobHandlers, 'grow-logs.purge'> {
  return {
    async 'grow-logs.purge'() {
      const before = new Date(ctx.clock.now().getTime() - daysToRestore * dayMs)
      for (;;) {
        const removed = await ctx.db
          .deleteFrom('grow_logs')
          .where('id', 'in', (eb) => eb.selectFrom('grow_logs').select('id').where('deleted_at', '<', before).limit(batch))
          // A log may be restored concurrently.
          .where('deleted_at', '<', before)
          .returning('id')
          .execute()
        if (removed.length < batch) return
      }
    },
  }
}

export const growLogSchedules: readonly JobSchedule[] = [{ name: 'grow-logs.purge', cron: '17 4 * * *', data: {} }]

const eraseBatch = 200
const noWords = JSON.stringify({ notes: '', feed: '', pestControl: '', training: '' })

/**
 * A leaving person's logs in other people's hunts: measurements belong to the plants and remain, anonymized; text and photos
 * belong to their author and are deleted, including from saved versions.
 */
export const eraseGrowLogs: EraseStep = {
  name: 'grow-logs',
  eraseSome: ({ db }, { id: userId }) =>
    inTransaction(db, async (tx) => {
      const { rows: logs } = await sql<{ id: string }>`
        select id from grow_logs where author_id = ${userId}::uuid order by id limit ${eraseBatch}::int for update`.execute(tx)
      const ids = logs.map(({ id }) => id)
      await sql`
        delete from grow_log_photos using media
        where media.id = grow_log_photos.media_id and media.owner_id = ${userId}::uuid and log_id = any(${ids}::uuid[])`.execute(tx)
      await sql`update grow_log_versions set said = said || ${noWords}::jsonb where log_id = any(${ids}::uuid[])`.execute(tx)
      await sql`
        update grow_logs set notes = '', feed = '', pest_control = '', training = '', author_id = null
        where id = any(${ids}::uuid[])`.execute(tx)
      const versions = await sql`
        update grow_log_versions set changed_by = null
        where (log_id, version) in (
          select log_id, version from grow_log_versions where changed_by = ${userId}::uuid limit ${eraseBatch}::int)`.execute(tx)
      // The person's photos on other people's logs.
      const { rows: photos } = await sql<{ log_id: string }>`
        delete from grow_log_photos where (log_id, position) in (
          select log_id, position from grow_log_photos join media on media.id = grow_log_photos.media_id
          where media.owner_id = ${userId}::uuid limit ${eraseBatch}::int)
        returning log_id`.execute(tx)
      await syncMediaUses(tx, 'log', [...ids, ...photos.map(({ log_id }) => log_id)])
      return ids.length + Number(versions.numAffectedRows ?? 0) + photos.length
    }),
}
