import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { allChunks, lockMedia } from './media.queries.ts'
import { allFileKeys, chunkKey } from './media-files.ts'
import { isUnattached } from './media-uses.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'storage'>

const batch = 100
const unusedHours = 24

/** Gives up an upload that nothing shows. @throws AppError not_found, conflict */
export async function removeUpload(ctx: Ctx, actor: Actor, id: string): Promise<undefined> {
  await inTransaction(ctx.db, async (tx) => {
    const row = await lockMedia(tx, id)
    if (row?.owner_id !== actor.id) throw notFound('This upload is gone already.')
    const [released] = await release(ctx, tx, [id])
    if (!released) throw new AppError('conflict', { message: 'Something shows this. Take it out there first.' })
  })
  await deleteReleased(ctx, [id])
}

/**
 * Removes what nobody finished or used for a day: files first, then rows, so that a crash in between leaves nothing
 * that is not found the next time.
 */
export async function sweepMedia(ctx: Ctx): Promise<{ removed: number }> {
  const before = new Date(ctx.clock.now().getTime() - unusedHours * 3_600_000)
  let removed = 0
  for (let after: Place | null = null; ; ) {
    const { ids, last }: { ids: string[]; last: Place | null } = await inTransaction(ctx.db, async (tx) => {
      const found = await unused(tx, before, after)
      const end = found.at(-1)
      return {
        ids: await release(
          ctx,
          tx,
          found.map((row) => row.id),
        ),
        last: end && found.length === batch ? [end.created_at.toISOString(), end.id] : null,
      }
    })
    await deleteReleased(ctx, ids)
    removed += ids.length
    if (!last) return { removed }
    after = last
  }
}

type Place = [createdAt: string, id: string]

const unused = (tx: Tx, before: Date, after: Place | null) =>
  tx
    .selectFrom('media')
    .select(['id', 'created_at'])
    .where('created_at', '<', before)
    .where('updated_at', '<', before)
    .where(isUnattached)
    .$if(after !== null, (query) => query.where(sql<boolean>`(created_at, id) > (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`))
    .orderBy('created_at')
    .orderBy('id')
    .limit(batch)
    .forUpdate()
    .skipLocked()
    .execute()

/**
 * From now on these belong to nobody, are not served and cannot be attached. Those that were attached before their lock
 * was ours are left alone: this statement sees what the one that locked them did not.
 */
async function release(ctx: Ctx, tx: Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const released = await tx
    .updateTable('media')
    .set({ owner_id: null, status: 'failed', updated_at: ctx.clock.now() })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where(isUnattached)
    .returning('id')
    .execute()
  return released.map((row) => row.id)
}

async function deleteReleased(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const chunks = await allChunks(ctx.db, ids)
  await ctx.storage.delete([
    ...chunks.map(({ media_id, starts_at, ends_at }) => chunkKey(media_id, starts_at, ends_at)),
    ...ids.flatMap(allFileKeys),
  ])
  await ctx.db
    .deleteFrom('media')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('owner_id', 'is', null)
    .where('status', '=', 'failed')
    .execute()
}
