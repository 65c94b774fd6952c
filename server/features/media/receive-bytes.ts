import type { Upload } from '../../../contracts/media.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField, notFound } from '../../kernel/errors.ts'
import { readHeader } from '../../kernel/media-header.ts'
import { MediaRefused } from '../../kernel/media-maker.ts'
import { discardChunks, readChunks } from './chunks.ts'
import { countChunk, lockMedia, type MediaRow, noteChunk, ownMediaRow } from './media.queries.ts'
import { toUpload } from './media.view.ts'
import { chunkKey } from './media-files.ts'

/** All but the last have at least this many bytes, so that a video does not become a million files. */
export const minChunkBytes = 64 * 1024
/** A header is looked for in this many first bytes. */
const headBytes = 1024 * 1024

type Ctx = Pick<Context, 'db' | 'clock' | 'storage' | 'jobs'>

/**
 * Takes the next bytes of an upload. What was taken before changes nothing; with the last ones it is looked at, and
 * either refused or queued to be made ready.
 * @throws AppError not_found, invalid_input, conflict (its message says where to go on)
 */
export async function receiveBytes(ctx: Ctx, actor: Actor, id: string, offset: number, bytes: Buffer): Promise<Upload> {
  const row = await ownMediaRow(ctx.db, actor.id, id)
  if (!row) throw notFound('This upload is gone. Begin again.')
  const end = offset + bytes.length
  if (bytes.length === 0) throw new AppError('invalid_input', { message: 'No bytes came.' })
  if (end > row.byte_size) throw invalidField('offset', `The upload was announced with ${row.byte_size} bytes; these are more.`)
  if (end <= row.received_bytes) return toUpload(row)
  requireNext(row, offset)
  if (bytes.length < minChunkBytes && end < row.byte_size) {
    throw new AppError('invalid_input', { message: `Send at least ${minChunkBytes / 1024} KiB at a time, but for the last bytes.` })
  }

  await noteChunk(ctx.db, id, offset, end)
  await ctx.storage.put(chunkKey(id, offset, end), bytes, 'application/octet-stream')
  const head = end < row.byte_size ? null : offset === 0 ? bytes : await readChunks(ctx, id, headBytes)
  const seen = head && look(head, row.byte_size)
  const taken = await inTransaction(ctx.db, (tx) => take(ctx, tx, actor, id, { offset, end }, seen))
  if (taken.status === 'failed') await discardChunks(ctx, id)
  return toUpload(taken)
}

const requireNext = (row: MediaRow, offset: number) => {
  if (row.status !== 'receiving' || row.received_bytes !== offset) {
    throw new AppError('conflict', { message: `This upload has ${row.received_bytes} of ${row.byte_size} bytes. Go on from there.` })
  }
}

type Seen = { kind: 'image' | 'video' } | { error: string }

function look(head: Buffer, byteSize: number): Seen {
  try {
    return { kind: readHeader(head, byteSize).kind }
  } catch (error) {
    if (error instanceof MediaRefused) return { error: error.message }
    throw error
  }
}

async function take(ctx: Ctx, tx: Tx, actor: Actor, id: string, { offset, end }: { offset: number; end: number }, seen: Seen | null) {
  const row = await lockMedia(tx, id)
  if (row?.owner_id !== actor.id) throw notFound('This upload is gone. Begin again.')
  // Somebody else brought the same in the meantime.
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
