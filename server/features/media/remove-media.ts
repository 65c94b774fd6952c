import { sql } from 'kysely'
import { hourMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { idsOf, pageIds } from '#server/db/page-ids.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { allChunks, lockMedia } from './media.queries.ts'
import { allFileKeys, chunkKey } from './media-files.ts'
import { isUnneeded } from './media-uses.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'storage'>

const readAtOnce = 1000
const deletedAtOnce = 100
const unusedHours = 24

export async function removeUpload(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const row = await lockMedia(tx, id)
    if (row?.owner_id !== actor.id) throw notFound('This upload is already deleted.')
    const [released] = await release(ctx, tx, [id])
    if (!released)
      throw new AppError('conflict', {
        message:
          'This is shown somewhere, or undoing a menu import would show it again. Remove it where it’s shown, or try again in a month.',
      })
  })
  await deleteReleased(ctx, [id])
}

/**
 * Deletes media left unfinished or unattached for a day. Deletes files before rows, so that after a crash in between, the next run finds
 * the rest. Usually almost all media is needed, so each statement is bounded by what it reads, not by what it finds.
 */
export async function sweepMedia(ctx: Ctx, atOnce = readAtOnce): Promise<{ removed: number }> {
  const before = new Date(ctx.clock.now().getTime() - unusedHours * hourMs)
  let removed = 0
  for (let after: Place | undefined; ; ) {
    const read = await mediaBefore(ctx.db, before, after, atOnce)
    const unneeded = idsOf(await unused(ctx.db, idsOf(read), before).execute())
    for (let at = 0; at < unneeded.length; at += deletedAtOnce) {
      const ids = await inTransaction(ctx.db, async (tx) => {
        const locked = await unused(tx, unneeded.slice(at, at + deletedAtOnce), before)
          .forUpdate()
          .skipLocked()
          .execute()
        return release(ctx, tx, idsOf(locked))
      })
      await deleteReleased(ctx, ids)
      removed += ids.length
    }
    if (read.length < atOnce) return { removed }
    after = read.at(-1)
  }
}

type Place = { created_at: Date; id: string }

const mediaBefore = (db: Db, before: Date, after: Place | undefined, limit: number) =>
  db
    .selectFrom('media')
    .select(['id', 'created_at'])
    .where('created_at', '<', before)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) > (${after?.created_at}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()

const unused = (db: Db, ids: readonly string[], before: Date) =>
  db
    .selectFrom('media')
    .select('id')
    .where(sql<boolean>`id = ${pageIds(ids)}`)
    .where('updated_at', '<', before)
    .where(isUnneeded)
    .orderBy('id')

/**
 * Removes ownership, so that these files are no longer served and can't be attached. Skips files attached while the lock was awaited,
 * which this statement sees but the locking one didn't.
 */
async function release(ctx: Ctx, tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const released = await tx
    .updateTable('media')
    .set({ owner_id: null, status: 'failed', updated_at: ctx.clock.now() })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where(isUnneeded)
    .returning('id')
    .execute()
  return released.map((row) => row.id)
}

async function deleteReleased(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await deleteFiles(ctx, ids)
  await ctx.db
    .deleteFrom('media')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('owner_id', 'is', null)
    .where('status', '=', 'failed')
    .execute()
}

async function deleteFiles({ db, storage }: Pick<Context, 'db' | 'storage'>, ids: readonly string[]): Promise<void> {
  const chunks = await allChunks(db, ids)
  await storage.delete([
    ...chunks.map(({ media_id, starts_at, ends_at }) => chunkKey(media_id, starts_at, ends_at)),
    ...ids.flatMap(allFileKeys),
  ])
}

const erasedAtOnce = 50

/**
 * Runs after the steps that delete the subjects that show the files. Deletes files before rows, so that a crash in between leaves no
 * orphans. Media that a business still shows belongs to the business.
 */
export const eraseMedia: EraseStep = {
  name: 'media',
  async eraseSome({ db, storage }, { id: userId }) {
    const ids = (
      await db.selectFrom('media').select('id').where('owner_id', '=', userId).where(isUnneeded).orderBy('id').limit(erasedAtOnce).execute()
    ).map(({ id }) => id)
    if (ids.length === 0) {
      const given = await db.updateTable('media').set({ owner_id: null }).where('owner_id', '=', userId).executeTakeFirstOrThrow()
      return Number(given.numUpdatedRows)
    }
    await deleteFiles({ db, storage }, ids)
    await db.deleteFrom('media').where(sql<boolean>`id = any(${ids}::uuid[])`).where('owner_id', '=', userId).execute()
    return ids.length
  },
}
