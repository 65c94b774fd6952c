import { createHmac, timingSafeEqual } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Selectable, Updateable } from 'kysely'
import { exportDays } from '#contracts/limits.ts'
import { type DataExport, maxExportsPerDay } from '#contracts/own-data.endpoints.ts'
import { dayMs, minuteMs } from '#contracts/time.ts'
import type { DB, Db } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { makeExport, makingFolder } from './make-export.ts'

/** One attempt to make an export. Only the latest one may change the row; an earlier one may still be running. */
type Attempt = { id: string; attempts: number }

/** Contains an unguessable ID; served only to its owner. Each attempt has its own file, so that an earlier one can't replace a later one's. */
export const exportKey = ({ id, attempts }: Attempt): string => (attempts <= 1 ? `exports/${id}.zip` : `exports/${id}-${attempts}.zip`)

const folderNameOf = ({ id, attempts }: Attempt): string => `${id}-${attempts}`

const allAttempts = ({ id, attempts }: Attempt): Attempt[] => Array.from({ length: attempts }, (_, i) => ({ id, attempts: i + 1 }))

type Row = Selectable<DB['data_exports']>

const toExport = (row: Row): DataExport => ({
  id: row.id,
  status: row.status === 'waiting' ? 'making' : row.status,
  progress: row.progress,
  requestedAt: row.requested_at.toISOString(),
  readyAt: row.ready_at?.toISOString() ?? null,
  expiresAt: row.expires_at?.toISOString() ?? null,
  byteSize: row.byte_size,
})

const shown = (db: Db, userId: string, now: Date) =>
  db
    .selectFrom('data_exports')
    .selectAll()
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc')

export const listExports = async (ctx: Pick<Context, 'db' | 'clock'>, userId: string): Promise<DataExport[]> =>
  (await shown(ctx.db, userId, ctx.clock.now()).limit(10).execute()).map(toExport)

/** Starts an export, or returns the one in progress. */
export async function startExport(ctx: Pick<Context, 'db' | 'clock' | 'jobs'>, actor: Actor): Promise<DataExport> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    // Serializes concurrent requests, so that the second sees the first one's export.
    await tx.selectFrom('users').select('id').where('id', '=', actor.id).forNoKeyUpdate().execute()
    const open = await shown(tx, actor.id, now).where('status', 'in', ['waiting', 'making']).executeTakeFirst()
    if (open) return toExport(open)
    const latest = await tx
      .selectFrom('data_exports')
      .select('requested_at')
      .where('user_id', '=', actor.id)
      .where('status', '<>', 'failed')
      .where('requested_at', '>', new Date(now.getTime() - dayMs))
      .orderBy('requested_at')
      .execute()
    const oldest = latest[0]
    if (oldest && latest.length >= maxExportsPerDay) {
      throw new AppError('too_many_requests', {
        message: `You’ve reached today’s limit of ${maxExportsPerDay} exports. Use the latest one, or come back tomorrow.`,
        retryAfterSeconds: Math.ceil((oldest.requested_at.getTime() + dayMs - now.getTime()) / 1000),
      })
    }
    const row = await tx
      .insertInto('data_exports')
      .values({ id: newId(), user_id: actor.id, requested_at: now })
      .returningAll()
      .executeTakeFirstOrThrow()
    await ctx.jobs.enqueue('own-data.make-export', { exportId: row.id }, { tx })
    await recordAudit(tx, { at: now, actorId: actor.id, action: 'own_data.export_asked', subjectType: 'user', subjectId: actor.id })
    return toExport(row)
  })
}

const maxAttempts = 3
/** Interval at which the process that makes an export sends a heartbeat. */
const beatMs = 30_000
/** After this long without a heartbeat, another process takes over. */
export const silenceMs = 5 * minuteMs

/**
 * No-op if another process is making the export or it is finished. Stops once another process takes over. Doesn't throw: failures are
 * retried and then reported to the person.
 */
export async function runExport(ctx: Context, exportId: string): Promise<void> {
  const now = ctx.clock.now()
  const taken = await ctx.db
    .updateTable('data_exports')
    .set((eb) => ({ status: 'making', beat_at: now, progress: 0, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', exportId)
    .where((eb) =>
      eb.or([eb('status', '=', 'waiting'), eb.and([eb('status', '=', 'making'), eb('beat_at', '<', new Date(now.getTime() - silenceMs))])]),
    )
    .returning(['id', 'user_id', 'attempts'])
    .executeTakeFirst()
  if (!taken) return
  const owner = await ctx.db.selectFrom('users').select(['id', 'email']).where('id', '=', taken.user_id).executeTakeFirstOrThrow()
  const beat = async (progress?: number) => {
    const change = { beat_at: ctx.clock.now(), ...(progress === undefined ? {} : { progress }) }
    return (await changeLatest(ctx.db, taken, change)) > 0
  }
  const timer = setInterval(() => void beat().catch(() => {}), beatMs)
  try {
    let reported = 0
    const { file, size } = await makeExport(ctx, folderNameOf(taken), owner, async (done, total) => {
      const progress = Math.min(99, Math.floor((done / total) * 100))
      if (progress > reported && !(await beat(progress))) throw new Error('Another process took over this export.')
      reported = Math.max(reported, progress)
    })
    await ctx.storage.putFile(exportKey(taken), file, 'application/zip')
    await finish(ctx, taken, owner.id, size)
  } catch (error) {
    ctx.log.warn({ err: error, exportId }, 'an export could not be made')
    await giveUp(ctx, taken)
  } finally {
    clearInterval(timer)
    await fs.promises.rm(path.join(makingFolder(ctx.config.dataDir), folderNameOf(taken)), { recursive: true, force: true }).catch(() => {})
  }
}

/** Changes nothing if another process has taken over. Returns the number of changed rows. */
async function changeLatest(db: Db, { id, attempts }: Attempt, change: Updateable<DB['data_exports']>): Promise<bigint> {
  const { numUpdatedRows } = await db
    .updateTable('data_exports')
    .set(change)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'making')
    .executeTakeFirstOrThrow()
  return numUpdatedRows
}

async function finish(ctx: Context, attempt: Attempt, userId: string, size: number): Promise<void> {
  const now = ctx.clock.now()
  const isStored = await inTransaction(ctx.db, async (tx) => {
    const changed = await changeLatest(tx, attempt, {
      ...{ status: 'ready', progress: 100, ready_at: now, byte_size: size },
      expires_at: new Date(now.getTime() + exportDays * dayMs),
    })
    if (changed > 0) await ctx.jobs.enqueue('own-data.mail', { userId, about: 'export-ready' }, { tx })
    return changed > 0
  })
  // The account was deleted in the meantime, or another process took over.
  if (!isStored) await ctx.storage.delete([exportKey(attempt)])
}

async function giveUp(ctx: Context, attempt: Attempt): Promise<void> {
  const isOver = attempt.attempts >= maxAttempts
  await inTransaction(ctx.db, async (tx) => {
    const changed = await changeLatest(
      tx,
      attempt,
      isOver ? { status: 'failed', expires_at: new Date(ctx.clock.now().getTime() + exportDays * dayMs) } : { status: 'waiting' },
    )
    if (changed > 0 && !isOver) await ctx.jobs.enqueue('own-data.make-export', { exportId: attempt.id }, { tx, startAfterSeconds: 60 })
  })
}

/** Deletes expired exports, resumes abandoned ones, and deletes local files older than a day. */
export async function sweepExports(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const old = await ctx.db.selectFrom('data_exports').select(['id', 'attempts']).where('expires_at', '<=', now).limit(500).execute()
  await removeExports(ctx, old)
  const left = await ctx.db
    .selectFrom('data_exports')
    .select(['id', 'attempts'])
    .where('status', '=', 'making')
    .where('beat_at', '<', new Date(now.getTime() - silenceMs))
    .limit(100)
    .execute()
  for (const attempt of left) {
    if (attempt.attempts >= maxAttempts) await giveUp(ctx, attempt)
    else await ctx.jobs.enqueue('own-data.make-export', { exportId: attempt.id })
  }
  const folder = makingFolder(ctx.config.dataDir)
  for (const name of await fs.promises.readdir(folder).catch(() => [])) {
    const stat = await fs.promises.stat(path.join(folder, name)).catch(() => null)
    if (stat && Date.now() - stat.mtimeMs > dayMs) await fs.promises.rm(path.join(folder, name), { recursive: true, force: true })
  }
}

/** Deletes files first, because the next run finds a leftover row. */
async function removeExports(ctx: Pick<Context, 'db' | 'storage' | 'config'>, exports: readonly Attempt[]): Promise<void> {
  if (exports.length === 0) return
  const attempts = exports.flatMap(allAttempts)
  await ctx.storage.delete(attempts.map(exportKey))
  for (const attempt of attempts) {
    await fs.promises.rm(path.join(makingFolder(ctx.config.dataDir), folderNameOf(attempt)), { recursive: true, force: true })
  }
  await ctx.db.deleteFrom('data_exports').where('id', 'in', idsOf(exports)).execute()
}

export const eraseExports: EraseStep = {
  name: 'exports',
  async eraseSome(ctx, { id }) {
    const rows = await ctx.db.selectFrom('data_exports').select(['id', 'attempts']).where('user_id', '=', id).execute()
    await removeExports(ctx, rows)
    return rows.length
  },
}

const linkLastsMs = 10 * minuteMs

/** Valid until `until`, and only in this session. */
const signatureOf = (secret: string, id: string, sessionId: string, until: number): string =>
  createHmac('sha256', secret).update(`data-export:${id}:${sessionId}:${until}`).digest('base64url')

export async function linkTo(ctx: Pick<Context, 'db' | 'clock' | 'config'>, actor: Actor, id: string): Promise<{ path: string }> {
  await readyExport(ctx, actor.id, id)
  const until = ctx.clock.now().getTime() + linkLastsMs
  const query = new URLSearchParams({ until: String(until), signature: signatureOf(ctx.config.sessionSecret, id, actor.sessionId, until) })
  return { path: `/api/user/exports/${id}/file?${query}` }
}

export async function requireLink(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  actor: Actor,
  id: string,
  given: { until: number; signature: string },
): Promise<Row> {
  const row = await readyExport(ctx, actor.id, id)
  const right = Buffer.from(signatureOf(ctx.config.sessionSecret, id, actor.sessionId, given.until))
  const shownOne = Buffer.from(given.signature)
  const isRight = right.length === shownOne.length && timingSafeEqual(right, shownOne)
  if (!isRight || given.until < ctx.clock.now().getTime()) {
    throw new AppError('forbidden', {
      message: 'This link expired or belongs to another session. Go back to your settings and download the file from there.',
    })
  }
  return row
}

async function readyExport({ db, clock }: Pick<Context, 'db' | 'clock'>, userId: string, id: string): Promise<Row> {
  const row = await shown(db, userId, clock.now()).where('id', '=', id).where('status', '=', 'ready').executeTakeFirst()
  if (!row) throw notFound('This export no longer exists.')
  return row
}
