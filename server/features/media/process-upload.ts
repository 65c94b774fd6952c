import type { Media } from '#contracts/media.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ServiceUnavailableError } from '#server/kernel/jobs.ts'
import { refusals } from '#server/kernel/media-header.ts'
import {
  type MediaMaker,
  MediaRefused,
  type ProcessedDocument,
  type ProcessedPicture,
  type ProcessedVideo,
} from '#server/kernel/media-maker.ts'
import { lockMedia, mediaRow } from './media.queries.ts'
import { allFileKeys, contentTypes, documentFile, fileKey } from './media-files.ts'
import { discardChunks, readChunks } from './receive-upload.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'storage' | 'mediaMaker' | 'log'>

/**
 * Idempotent, so it is safe to retry after a crash.
 * @throws ServiceUnavailableError while the storage is down or full
 */
export const processUpload = (ctx: Ctx, mediaId: string): Promise<void> =>
  processStored(ctx, mediaId).catch((error: unknown) => {
    throw isUnavailable(error) ? new ServiceUnavailableError(`The storage is unavailable (${error.message}).`, { cause: error }) : error
  })

export const isUnavailable = (error: unknown): error is AppError => error instanceof AppError && error.code === 'unavailable'

async function processStored(ctx: Ctx, mediaId: string): Promise<void> {
  const row = await mediaRow(ctx.db, mediaId)
  if (row?.status === 'processing') {
    const bytes = await readChunks(ctx, mediaId)
    await makeReady(ctx, mediaId, row.kind, bytes)
  }
  // The upload was abandoned while an earlier process was writing.
  if (!row) await ctx.storage.delete(allFileKeys(mediaId))
  else await discardChunks(ctx, mediaId)
}

type Made =
  | { kind: 'image'; picture: ProcessedPicture }
  | { kind: 'video'; video: ProcessedVideo }
  | { kind: 'document'; document: ProcessedDocument }

async function make(maker: MediaMaker, kind: Media['kind'], bytes: Buffer): Promise<Made> {
  if (kind === 'image') return { kind, picture: await maker.makePicture(bytes) }
  if (kind === 'video') return { kind, video: await maker.makeVideo(bytes) }
  return { kind, document: await maker.makeDocument(bytes) }
}

/** Creates and stores the files; `also` runs in the transaction in which the media becomes ready. */
export async function makeReady(
  ctx: Ctx,
  mediaId: string,
  kind: Media['kind'],
  bytes: Buffer,
  also: (tx: Tx) => Promise<void> = async () => {},
  fail = (reason: string): Promise<void> => failMedia(ctx, mediaId, reason),
): Promise<void> {
  let made: Made
  try {
    made = await make(ctx.mediaMaker, kind, bytes)
  } catch (error) {
    if (!(error instanceof MediaRefused)) throw error
    return fail(error.message)
  }
  for (const [file, content] of filesOf(made)) {
    await ctx.storage.put(fileKey(mediaId, file), content, contentTypes[file] ?? 'application/octet-stream')
  }
  const isWanted = await inTransaction(ctx.db, async (tx) => {
    const row = await lockMedia(tx, mediaId)
    if (row?.status === 'ready') return true
    if (row?.status !== 'processing') return false
    await tx
      .updateTable('media')
      .set({
        status: 'ready',
        error: null,
        updated_at: ctx.clock.now(),
        byte_size: bytes.length,
        received_bytes: bytes.length,
        ...factsOf(made),
      })
      .where('id', '=', mediaId)
      .execute()
    await also(tx)
    return true
  })
  if (!isWanted) await ctx.storage.delete(allFileKeys(mediaId))
}

/** `also` runs once, in the same transaction. */
export async function failMedia(
  ctx: Pick<Context, 'db' | 'clock'>,
  mediaId: string,
  error: string = refusals.damaged,
  also: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('media')
      .set({ status: 'failed', error, updated_at: ctx.clock.now() })
      .where('id', '=', mediaId)
      .where('status', '=', 'processing')
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await also(tx)
  })
}

function filesOf(made: Made): [file: string, content: Uint8Array][] {
  if (made.kind === 'video') return [[`video.${made.video.extension}`, made.video.bytes]]
  if (made.kind === 'document') return [[documentFile, made.document.bytes]]
  return made.picture.versions.flatMap(({ size, avif, webp }): [string, Uint8Array][] => [
    [`${size}.avif`, avif],
    [`${size}.webp`, webp],
  ])
}

function factsOf(made: Made) {
  if (made.kind === 'video') {
    const { width, height, durationMs, extension } = made.video
    return { width, height, duration_ms: durationMs, extension }
  }
  if (made.kind === 'document') {
    const { width, height, pageCount } = made.document
    return { width, height, page_count: pageCount, extension: 'pdf' }
  }
  const { width, height, placeholder, versions } = made.picture
  return { width, height, placeholder, widths: versions.map((version) => version.width) }
}
