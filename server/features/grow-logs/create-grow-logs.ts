import type { GrowLog, NewGrowLog, NewGrowLogRow } from '#contracts/grow-logs.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordHuntEvents, requireHunt, requireHuntWords } from '#server/features/hunts/index.ts'
import { requireReadyMedia } from '#server/features/media/index.ts'
import { genotypesOfPlants } from '#server/features/plants/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidInput } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { columnsOf, contentOfRow, dayIssue, type GrowLogRow, isSame, type LogContent, logRows, replacePhotos } from './grow-logs.queries.ts'
import { readGrowLogs } from './read-grow-logs.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * A retry with the same ID and content returns the current log, including later corrections.
 * @throws AppError not_found or forbidden about the hunt, muted, invalid_input, conflict if the ID has other content,
 * idempotency_mismatch
 */
export async function createGrowLog(
  ctx: Ctx,
  actor: Actor,
  { huntId, ...row }: NewGrowLog,
  idempotency: IdempotencyKey | null,
): Promise<GrowLog> {
  const [log] = await writeLogs(ctx, actor, huntId, [row], idempotency, '')
  if (!log) throw new Error('a log is missing right after it was written')
  return log
}

/** Creates all or nothing; errors name the index of each invalid row. @throws the same errors as `createGrowLog` */
export const createGrowLogs = (
  ctx: Ctx,
  actor: Actor,
  { huntId, logs }: { huntId: string; logs: readonly NewGrowLogRow[] },
  idempotency: IdempotencyKey | null,
): Promise<GrowLog[]> => writeLogs(ctx, actor, huntId, logs, idempotency, 'logs')

async function writeLogs(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  given: readonly NewGrowLogRow[],
  idempotency: IdempotencyKey | null,
  path: '' | 'logs',
): Promise<GrowLog[]> {
  const now = ctx.clock.now()
  const { logs } = await inTransaction(ctx.db, (tx) =>
    // `once` stores objects, so the list is wrapped.
    once(tx, actor.id, idempotency, now, async () => {
      const hunt = await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
      await requireHuntWords(tx, actor, huntId, path === '' ? (given[0] ?? {}) : { [path]: given })
      const rows = given.map(({ id = newId(), ...content }): Row => ({ id, content }))
      const plants = await requireSound(tx, huntId, rows, now, path)
      const written = await insertNew(tx, huntId, actor.id, rows, now)
      const repeated = rows.filter(({ id }) => !written.has(id))
      if (repeated.length > 0) await requireRepetition(tx, huntId, repeated, rows, path)
      const fresh = rows.filter(({ id }) => written.has(id))
      await attachPhotos(tx, actor.id, fresh)
      await recordHuntEvents(
        tx,
        fresh.map(({ id, content }) => ({
          huntId,
          kind: 'log.written',
          genotypeId: content.plantId === null ? null : (plants.get(content.plantId) ?? null),
          plantId: content.plantId,
          subjectId: id,
          detail: { heightCm: content.heightCm, rating: content.rating, photos: content.mediaIds.length },
          happenedOn: content.loggedOn,
          recordedBy: actor.id,
          now,
        })),
      )
      return {
        logs: await readGrowLogs(
          tx,
          actor,
          hunt.id,
          rows.map(({ id }) => id),
        ),
      }
    }),
  )
  return logs
}

type Row = { id: string; content: LogContent }

/** @throws AppError invalid_input that names every invalid row */
async function requireSound(tx: Tx, huntId: string, rows: readonly Row[], now: Date, path: '' | 'logs'): Promise<Map<string, string>> {
  const plantIds = rows.flatMap(({ content }) => content.plantId ?? [])
  const plants = await genotypesOfPlants(tx, huntId, [...new Set(plantIds)])
  const ids = new Set<string>()
  const photos = new Set<string>()
  const issues = rows.flatMap(({ id, content }, i) => {
    const found: { path: PropertyKey[]; message: string }[] = []
    const issue = (field: string, message: string) => found.push({ path: path === '' ? [field] : [path, i, field], message })
    if (ids.has(id)) issue('id', 'Each row needs its own ID')
    ids.add(id)
    if (content.plantId !== null && !plants.has(content.plantId)) issue('plantId', 'This plant isn’t in this hunt')
    const day = dayIssue(content.loggedOn, now)
    if (day) issue('loggedOn', day)
    if (content.mediaIds.some((mediaId) => photos.has(mediaId)) || new Set(content.mediaIds).size < content.mediaIds.length) {
      issue('mediaIds', 'Add each photo only once')
    }
    for (const mediaId of content.mediaIds) photos.add(mediaId)
    return found
  })
  if (issues.length > 0) throw invalidInput(issues)
  return plants
}

/** Returns the IDs that were new. Inserts in ID order, so that concurrent batches can't deadlock. */
async function insertNew(tx: Tx, huntId: string, authorId: string, rows: readonly Row[], now: Date): Promise<Set<string>> {
  const inserted = await tx
    .insertInto('grow_logs')
    .values(
      [...rows]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, content }) => ({
          id,
          hunt_id: huntId,
          ...columnsOf(content),
          author_id: authorId,
          created_at: now,
          updated_at: now,
        })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  return new Set(inserted.map(({ id }) => id))
}

/** Existing rows must have been identical to these when first written. @throws AppError conflict */
async function requireRepetition(tx: Tx, huntId: string, repeated: readonly Row[], all: readonly Row[], path: '' | 'logs'): Promise<void> {
  const ids = repeated.map(({ id }) => id)
  const stored = new Map((await logRows(tx, ids)).map((row) => [row.id, row]))
  for (const row of repeated) {
    const log = stored.get(row.id)
    if (log?.hunt_id === huntId && isSame(await firstContent(tx, log), row.content)) continue
    const which = path === '' ? 'This ID' : `The ID of row ${all.indexOf(row) + 1}`
    throw new AppError('conflict', {
      message: `${which} belongs to another log. To correct a log, change it (PATCH, with its version). To write another one, use a new ID.`,
    })
  }
}

async function firstContent(tx: Tx, row: GrowLogRow): Promise<LogContent> {
  if (row.version === 1) return contentOfRow(row)
  const first = await tx
    .selectFrom('grow_log_versions')
    .select('said')
    .where('log_id', '=', row.id)
    .where('version', '=', 1)
    .executeTakeFirst()
  return first ? (first.said as LogContent) : contentOfRow(row)
}

/** Must follow the insert: a concurrent duplicate has waited there and attaches nothing. */
async function attachPhotos(tx: Tx, authorId: string, rows: readonly Row[]): Promise<void> {
  await requireReadyMedia(
    tx,
    authorId,
    rows.flatMap(({ content }) => content.mediaIds),
    { kinds: ['image'] },
  )
  for (const { id, content } of rows) if (content.mediaIds.length > 0) await replacePhotos(tx, id, content.mediaIds)
}
