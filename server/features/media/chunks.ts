import type { Context } from '../../kernel/context.ts'
import { readWhole } from '../../kernel/storage.ts'
import { allChunks, countedChunks } from './media.queries.ts'
import { chunkKey } from './media-files.ts'

type Ctx = Pick<Context, 'db' | 'storage'>

/** Puts an upload together from the storage, or its beginning: whole chunks until there are at least `enough` bytes. */
export async function readChunks(ctx: Ctx, mediaId: string, enough = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for (const { starts_at, ends_at } of await countedChunks(ctx.db, mediaId)) {
    if (length >= enough) break
    const part = await readWhole(ctx.storage, chunkKey(mediaId, starts_at, ends_at))
    // What is noted as received lies in the storage; if not, it is the storage's fault and may be over the next time.
    if (starts_at !== length || part?.length !== ends_at - starts_at) throw new Error(`the storage lacks a part of upload ${mediaId}`)
    parts.push(part)
    length = ends_at
  }
  return Buffer.concat(parts)
}

/** Removes what the upload was put together from. */
export async function discardChunks(ctx: Ctx, mediaId: string): Promise<void> {
  const chunks = await allChunks(ctx.db, [mediaId])
  if (chunks.length === 0) return
  await ctx.storage.delete(chunks.map(({ starts_at, ends_at }) => chunkKey(mediaId, starts_at, ends_at)))
  await ctx.db.deleteFrom('media_chunks').where('media_id', '=', mediaId).execute()
}
