import type { Media, Upload } from '#contracts/media.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { readHeader } from '#server/kernel/media-header.ts'
import { MediaRefused } from '#server/kernel/media-maker.ts'
import { discardChunks, readChunks } from './chunks.ts'
import { countChunk, lockMedia, type MediaRow, noteChunk, ownMediaRow, strayChunks } from './media.queries.ts'
import { toUpload } from './media.view.ts'
import { chunkKey } from './media-files.ts'

/** All chunks but the last must have at least this many bytes, so that a video doesn't become a million files. */
export const minChunkBytes = 64 * 1024
/** Limit of stored chunks that aren't part of the upload, so that concurrent requests can't fill the storage. */
const maxStrayChunks = 15
const headBytes = 1024 * 1024
const gone = 'This upload no longer exists. Start again.'

type Ctx = Pick<Context, 'db' | 'clock' | 'storage' | 'jobs'>

/**
 * Receives the next bytes of an upload. Idempotent for bytes already received. With the last ones, the upload is checked, then
 * refused or queued for processing.
 * @throws AppError not_found, invalid_input, conflict (its message says where to continue)
 */
export async function receiveBytes(ctx: Ctx, actor: Actor, id: string, offset: number, bytes: Buffer): Promise<Upload> {
  const row = await ownMediaRow(ctx.db, actor.id, id)
  if (!row) throw notFound(gone)
  const end = offset + bytes.length
  if (bytes.length === 0) throw new AppError('invalid_input', { message: 'No bytes arrived.' })
  if (end > row.byte_size) throw invalidField('offset', `The upload was announced with ${row.byte_size} bytes, but more arrived.`)
  if (end <= row.received_bytes) return toUpload(row)
  requireNext(row, offset)
  if (bytes.length < minChunkBytes && end < row.byte_size) {
    throw new AppError('invalid_input', { message: `Send at least ${minChunkBytes / 1024} KiB at a time, except for the last bytes.` })
  }

  await inTransaction(ctx.db, (tx) => note(tx, actor, id, offset, end))
  await ctx.storage.put(chunkKey(id, offset, end), bytes, 'application/octet-stream')
  const dropPiece = () => ctx.storage.delete([chunkKey(id, offset, end)])
  const head = end < row.byte_size ? null : offset === 0 ? bytes : await readChunks(ctx, id, headBytes)
  const seen = head && look(head, row.byte_size)
  const taken = await inTransaction(ctx.db, (tx) => take(ctx, tx, actor, id, { offset, end }, seen)).catch(async (error: unknown) => {
    if (error instanceof AppError) await dropPiece()
    throw error
  })
  // The upload may have been abandoned or processed before this chunk was recorded.
  if (!taken || taken.status === 'ready' || taken.status === 'failed') await dropPiece()
  if (!taken) throw notFound(gone)
  if (taken.status === 'failed') await discardChunks(ctx, id)
  return toUpload(taken)
}

const requireNext = (row: MediaRow, offset: number) => {
  if (row.status !== 'receiving' || row.received_bytes !== offset) {
    throw new AppError('conflict', { message: `This upload has ${row.received_bytes} of ${row.byte_size} bytes. Continue from there.` })
  }
}

/** Records a chunk before it is stored. Locks the upload, so that concurrent requests see each other. @throws AppError too_many_requests */
async function note(tx: Tx, actor: Actor, id: string, start: number, end: number): Promise<void> {
  if ((await lockMedia(tx, id))?.owner_id !== actor.id) throw notFound(gone)
  if ((await strayChunks(tx, id, { start, end })) >= maxStrayChunks) {
    throw new AppError('too_many_requests', { message: 'Send the parts of an upload one after another.', retryAfterSeconds: 5 })
  }
  await noteChunk(tx, id, start, end)
}

type Seen = { kind: Media['kind'] } | { error: string }

function look(head: Buffer, byteSize: number): Seen {
  try {
    return { kind: readHeader(head, byteSize).kind }
  } catch (error) {
    if (error instanceof MediaRefused) return { error: error.message }
    throw error
  }
}

/** Adds the chunk to the upload; returns null if the upload was deleted. */
async function take(ctx: Ctx, tx: Tx, actor: Actor, id: string, { offset, end }: { offset: number; end: number }, seen: Seen | null) {
  const row = await lockMedia(tx, id)
  if (row?.owner_id !== actor.id) return null
  // A concurrent request delivered the same bytes.
  if (end <= row.received_bytes) return row
  requireNext(row, offset)
  await countChunk(tx, id, offset, end)
  const found = !seen
    ? {}
    : 'error' in seen
      ? { status: 'failed' as const, error: seen.error }
      : { status: 'processing' as const, kind: seen.kind }
  await tx
    .updateTable('media')
    .set({ received_bytes: end, updated_at: ctx.clock.now(), ...found })
    .where('id', '=', id)
    .execute()
  if (seen && 'kind' in seen) await ctx.jobs.enqueue('media.process', { mediaId: id }, { tx })
  return { ...row, received_bytes: end, ...found }
}
