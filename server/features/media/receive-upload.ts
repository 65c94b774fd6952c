import {
  fileRefusals,
  imageTypes,
  maxDocumentBytes,
  maxImageBytes,
  maxVideoBytes,
  refusedImageTypes,
  videoTypes,
} from '#contracts/media.rules.ts'
import { documentTypes, type Media, type Upload } from '#contracts/media.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { readHeader, refusals } from '#server/kernel/media-header.ts'
import { MediaRefused } from '#server/kernel/media-maker.ts'
import { readWhole } from '#server/kernel/storage.ts'
import {
  allChunks,
  countChunk,
  countedChunks,
  lockMedia,
  type MediaRow,
  noteChunk,
  ownMediaRow,
  strayChunks,
  toUpload,
  unattached,
} from './media.queries.ts'
import { chunkKey } from './media-files.ts'

type Announced = { contentType: string; byteSize: number; alt: string }

/**
 * Reserves space for an upload. What the browser states about the file only serves to refuse it early.
 * @throws AppError invalid_input, conflict if the person has too much unattached media, idempotency_mismatch
 */
export async function beginUpload(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  input: Announced,
  idempotency: IdempotencyKey | null,
): Promise<Upload> {
  const kind = kindOf(input)
  const now = ctx.clock.now()
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, now, async () => {
      // Without this lock, two concurrent uploads could exceed the limit together. It must allow the key-share locks that both have on this
      // row through their idempotency keys.
      await tx.selectFrom('users').select('id').where('id', '=', actor.id).forNoKeyUpdate().execute()
      await requireRoom(tx, actor.id, input.byteSize)
      const id = newId()
      await tx
        .insertInto('media')
        .values({ id, owner_id: actor.id, kind, byte_size: input.byteSize, alt: input.alt, created_at: now, updated_at: now })
        .execute()
      const row = await ownMediaRow(tx, actor.id, id)
      if (!row) throw new Error('an upload is missing right after it was created')
      return toUpload(row)
    }),
  )
}

const maxBytesByKind: Record<Media['kind'], number> = { image: maxImageBytes, video: maxVideoBytes, document: maxDocumentBytes }

function kindOf({ contentType, byteSize }: Announced): Media['kind'] {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const isOneOf = (types: readonly string[]) => types.includes(type)
  if (isOneOf(refusedImageTypes)) throw invalidField('contentType', refusals.heic)
  const kind = isOneOf(imageTypes) ? 'image' : isOneOf(videoTypes) ? 'video' : isOneOf(documentTypes) ? 'document' : null
  if (!kind) throw invalidField('contentType', refusals.unknown)
  if (byteSize > maxBytesByKind[kind]) throw invalidField('byteSize', fileRefusals.large[kind])
  return kind
}

/** All chunks but the last must have at least this many bytes, so that a video doesn't become a million files. */
export const minChunkBytes = 64 * 1024
/** Limit on stored chunks that aren't part of the upload, so that concurrent requests can't fill the storage. */
const maxStrayChunks = 15
const headBytes = 1024 * 1024
const gone = 'This upload no longer exists. Start again.'

type Ctx = Pick<Context, 'db' | 'clock' | 'storage' | 'jobs'>

/**
 * Receives the next bytes of an upload. Idempotent for bytes already received. After the last bytes, the upload is checked, then refused or
 * queued for processing.
 * @throws AppError not_found, invalid_input, conflict (its message says where to continue), too_many_requests for chunks sent in parallel
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
  const dropChunk = () => ctx.storage.delete([chunkKey(id, offset, end)])
  const head = end < row.byte_size ? null : offset === 0 ? bytes : await readChunks(ctx, id, headBytes)
  const seen = head && look(head, row.byte_size)
  const taken = await inTransaction(ctx.db, (tx) => take(ctx, tx, actor, id, { offset, end }, seen)).catch(async (error: unknown) => {
    if (error instanceof AppError) await dropChunk()
    throw error
  })
  // The upload may have been abandoned or processed before this chunk was recorded.
  if (!taken || taken.status === 'ready' || taken.status === 'failed') await dropChunk()
  if (!taken) throw notFound(gone)
  if (taken.status === 'failed') await discardChunks(ctx, id)
  return toUpload(taken)
}

const requireNext = (row: MediaRow, offset: number) => {
  if (row.status !== 'receiving' || row.received_bytes !== offset) {
    throw new AppError('conflict', { message: `This upload has ${row.received_bytes} of ${row.byte_size} bytes. Continue from there.` })
  }
}

/** Records a chunk before it is stored. Locks the upload, so that concurrent requests see each other. */
async function note(tx: Tx, actor: Actor, id: string, start: number, end: number): Promise<void> {
  if ((await lockMedia(tx, id))?.owner_id !== actor.id) throw notFound(gone)
  if ((await strayChunks(tx, id, { start, end })) >= maxStrayChunks) {
    throw new AppError('too_many_requests', { message: 'Send the chunks of an upload one after another.', retryAfterSeconds: 5 })
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

/** Returns null if the upload was deleted. */
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

type StorageContext = Pick<Context, 'db' | 'storage'>

/** Reads an upload, or its beginning, from storage: whole chunks until there are at least `enough` bytes. */
export async function readChunks(ctx: StorageContext, mediaId: string, enough = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for (const { starts_at, ends_at } of await countedChunks(ctx.db, mediaId)) {
    if (length >= enough) break
    const chunk = await readWhole(ctx.storage, chunkKey(mediaId, starts_at, ends_at))
    // Chunks recorded as received should be in storage. If one isn't, storage is at fault, and a retry may succeed.
    if (starts_at !== length || chunk?.length !== ends_at - starts_at)
      throw new Error(`a chunk of upload ${mediaId} is missing from the storage`)
    chunks.push(chunk)
    length = ends_at
  }
  return Buffer.concat(chunks)
}

export async function discardChunks(ctx: StorageContext, mediaId: string): Promise<void> {
  const chunks = await allChunks(ctx.db, [mediaId])
  if (chunks.length === 0) return
  await ctx.storage.delete(chunks.map(({ starts_at, ends_at }) => chunkKey(mediaId, starts_at, ends_at)))
  await ctx.db.deleteFrom('media_chunks').where('media_id', '=', mediaId).execute()
}

const maxUnattachedBytes = 200 * 1024 * 1024
/** Limit on a person's unfinished files, so that slow or broken ones don't delay everyone else's. */
const maxUnfinished = 50

export async function requireRoom(tx: Tx, ownerId: string, byteSize: number): Promise<void> {
  const { bytes, unfinished } = await unattached(tx, ownerId)
  if (bytes + byteSize > maxUnattachedBytes) {
    throw new AppError('conflict', {
      message: `You have ${maxUnattachedBytes / 1024 / 1024} MB of pictures and videos that aren’t in a post. Publish or remove some first; unused ones are removed after a day.`,
    })
  }
  if (unfinished >= maxUnfinished) {
    throw new AppError('conflict', {
      message: `${maxUnfinished} of your pictures and videos aren’t ready yet. Wait for them, or remove some.`,
    })
  }
}
