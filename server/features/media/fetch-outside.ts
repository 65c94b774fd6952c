import { maxImageBytes } from '../../../contracts/media.ts'
import type { Tx } from '../../db/connect.ts'
import type { Context } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { readHeader, refusals } from '../../kernel/media-header.ts'
import { MediaRefused } from '../../kernel/media-maker.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import { mediaRow } from './media.queries.ts'
import { allFileKeys } from './media-files.ts'
import { failMedia, makeReady } from './process-upload.ts'
import { requireRoom } from './room.ts'

/** What shows the picture once it is here. */
export type AttachTo = { postId: string } | { businessId: string }

/** How a picture that arrived is shown: by the features whose tables say so. What is gone by then changes nothing. */
export type Attachers = {
  toPost(tx: Tx, postId: string, mediaId: string): Promise<void>
  toBusiness(tx: Tx, businessId: string, mediaId: string): Promise<void>
}

/**
 * Fetches a picture of another site later, once, and shows it from here: nobody's browser ever calls that site. What
 * cannot be fetched is simply not shown.
 * @throws AppError conflict when too much of this person's waits or lies here unused
 */
export async function fetchOutside(
  tx: Tx,
  ctx: Pick<Context, 'jobs' | 'clock'>,
  { url, ownerId, attach }: { url: string; ownerId: string; attach: AttachTo },
): Promise<void> {
  await requireRoom(tx, ownerId, maxImageBytes)
  const id = newId()
  const now = ctx.clock.now()
  await tx
    .insertInto('media')
    // How large it is will be known when it is here; until then it counts as what it may be at most.
    .values({
      id,
      owner_id: ownerId,
      kind: 'image',
      status: 'processing',
      byte_size: maxImageBytes,
      source_url: url,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await ctx.jobs.enqueue('media.fetch-outside', { mediaId: id, attach }, { tx })
}

type Ctx = Pick<Context, 'db' | 'clock' | 'storage' | 'mediaMaker' | 'fetchPicture' | 'cache' | 'log'>

/** Fetches, makes ready and attaches. A site that does not answer is asked again later; one that refuses is not. */
export async function fetchAndAttach(ctx: Ctx, attachers: Attachers, mediaId: string, attach: AttachTo): Promise<void> {
  const row = await mediaRow(ctx.db, mediaId)
  if (!row) await ctx.storage.delete(allFileKeys(mediaId))
  if (row?.status !== 'processing' || row.source_url === null) return
  let bytes: Buffer
  try {
    bytes = await ctx.fetchPicture(row.source_url)
    if (readHeader(bytes, bytes.length).kind !== 'image') throw new MediaRefused(refusals.unknown)
  } catch (error) {
    if (!(error instanceof OutsideRefused || error instanceof MediaRefused)) throw error
    return failMedia(ctx, mediaId, error.message)
  }
  await makeReady(ctx, mediaId, 'image', bytes, (tx) =>
    'postId' in attach ? attachers.toPost(tx, attach.postId, mediaId) : attachers.toBusiness(tx, attach.businessId, mediaId),
  )
  if ('businessId' in attach) ctx.cache.invalidate('businesses')
}
