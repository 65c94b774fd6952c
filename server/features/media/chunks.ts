import type { Context } from '#server/kernel/context.ts'
import { readWhole } from '#server/kernel/storage.ts'
import { allChunks, countedChunks } from './media.queries.ts'
import { chunkKey } from './media-files.ts'

type Ctx = Pick<Context, 'db' | 'storage'>

/** Assembles an upload, or its beginning, from storage: whole chunks until there are at least `enough` bytes. */
export async function readChunks(ctx: Ctx, mediaId: string, enough = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for (const { starts_at, ends_at } of await countedChunks(ctx.db, mediaId)) {
    if (length >= enough) break
    const part = await readWhole(ctx.storage, chunkKey(mediaId, starts_at, ends_at))
    // Chunks recorded as received are in storage; if not, storage is at fault and a retry may succeed.
    if (starts_at !== length || part?.length !== ends_at - starts_at) throw new Error(`the storage lacks a part of upload ${mediaId}`)
    parts.push(part)
    length = ends_at
  }
  return Buffer.concat(parts)
}

export async function discardChunks(ctx: Ctx, mediaId: string): Promise<void> {
  const chunks = await allChunks(ctx.db, [mediaId])
  if (chunks.length === 0) return
  await ctx.storage.delete(chunks.map(({ starts_at, ends_at }) => chunkKey(mediaId, starts_at, ends_at)))
  await ctx.db.deleteFrom('media_chunks').where('media_id', '=', mediaId).execute()
}
