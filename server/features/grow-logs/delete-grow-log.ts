import type { GrowLog } from '../../../contracts/grow-logs.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { type HuntEventKind, recordHuntEvents, requireHuntWords } from '../hunts/index.ts'
import { lockLog, logRows } from './grow-logs.queries.ts'
import { contentOfRow } from './log-content.ts'
import { readGrowLog, requireLog } from './read-grow-logs.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * Takes a log out, photos and all; it can be brought back. One that is out already stays so.
 * @throws AppError not_found, forbidden, conflict where a version is given and it is another by now
 */
export async function deleteGrowLog(ctx: Ctx, actor: Actor, logId: string, version: number | undefined): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const row = await holdLog(tx, actor, logId)
    if (row.deleted_at !== null) return
    if (version !== undefined && row.version !== version) {
      throw new AppError('conflict', { message: 'This log was changed meanwhile. Look at what it says now before you delete it.' })
    }
    const now = ctx.clock.now()
    await tx.updateTable('grow_logs').set({ deleted_at: now }).where('id', '=', logId).execute()
    await tell(tx, actor, row, 'log.deleted', now)
  })
}

/** @throws AppError not_found, also when its time is over; forbidden, muted, invalid_input about words that others cannot be shown */
export async function restoreGrowLog(ctx: Ctx, actor: Actor, logId: string): Promise<GrowLog> {
  return inTransaction(ctx.db, async (tx) => {
    const row = await holdLog(tx, actor, logId)
    if (row.deleted_at !== null) {
      await requireHuntWords(tx, actor, row.hunt_id, contentOfRow(row))
      await tx.updateTable('grow_logs').set({ deleted_at: null }).where('id', '=', logId).execute()
      await tell(tx, actor, row, 'log.changed', ctx.clock.now())
    }
    return readGrowLog(tx, actor, logId)
  })
}

type Row = Awaited<ReturnType<typeof holdLog>>

async function holdLog(tx: Tx, actor: Actor, logId: string) {
  await requireLog(tx, actor, logId, 'write', { lock: 'share', alsoDeleted: true })
  await lockLog(tx, logId)
  const [row] = await logRows(tx, [logId])
  if (!row) throw notFound('There is no such log.')
  return row
}

const tell = (tx: Tx, actor: Actor, row: Row, kind: HuntEventKind, now: Date) =>
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
