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

/** How a picture of another site is shown, by the features whose tables say so. A subject that is gone by then changes nothing. */
export type Attachers = {
  /** In the transaction that stores the picture or gives it up: the post shows it from then on, or stops waiting for it. */
  toPost(tx: Tx, postId: string, mediaId: string, has: 'arrived' | 'failed', now: Date): Promise<void>
  toBusiness(tx: Tx, businessId: string, mediaId: string): Promise<void>
}

declare module '../../kernel/events.ts' {
  interface EventData {
    /** A picture of another site will not come. The reason is in its row. */
    'media.fetch-failed': { mediaId: string; postId: string | null; businessId: string | null }
  }
}

/**
 * Fetches a picture of another site later, and shows it from here: no reader's browser ever calls that site.
 * @returns the id that the picture will have
 * @throws AppError conflict when too much of this person's waits or lies here unused
 */
export async function fetchOutside(
  tx: Tx,
  ctx: Pick<Context, 'jobs' | 'clock'>,
  { url, ownerId, attach }: { url: string; ownerId: string; attach: AttachTo },
): Promise<string> {
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
  return id
}

type Ctx = Pick<Context, 'db' | 'clock' | 'storage' | 'mediaMaker' | 'fetchPicture' | 'cache' | 'log' | 'jobs' | 'events'>
type Fetch = { mediaId: string; attach: AttachTo; tries?: number }

/** How long a site that did not answer is left alone, after each try. */
const pausesInSeconds = [60, 600, 3600]

/** Fetches, makes ready and attaches. A site that does not answer is asked again later; one that refuses is not. */
export async function fetchAndAttach(ctx: Ctx, attachers: Attachers, { mediaId, attach, tries = 0 }: Fetch): Promise<void> {
  const row = await mediaRow(ctx.db, mediaId)
  if (!row) await ctx.storage.delete(allFileKeys(mediaId))
  if (row?.status !== 'processing' || row.source_url === null) return
  const attachAs = (has: 'arrived' | 'failed') => async (tx: Tx) => {
    if ('postId' in attach) await attachers.toPost(tx, attach.postId, mediaId, has, ctx.clock.now())
    else if (has === 'arrived') await attachers.toBusiness(tx, attach.businessId, mediaId)
  }
  const fail = (reason: string) =>
    failMedia(ctx, mediaId, reason, async (tx) => {
      await attachAs('failed')(tx)
      await ctx.events.publish(tx, 'media.fetch-failed', { mediaId, postId: null, businessId: null, ...attach })
    })
  let bytes: Buffer
  try {
    bytes = await ctx.fetchPicture(row.source_url)
    if (readHeader(bytes, bytes.length).kind !== 'image') throw new MediaRefused(refusals.unknown)
  } catch (error) {
    if (error instanceof OutsideRefused || error instanceof MediaRefused) return fail(error.message)
    const pause = pausesInSeconds[tries]
    if (pause === undefined) return fail('The site did not answer.')
    ctx.log.warn({ err: error, mediaId, tries }, 'a site did not answer for a picture')
    return ctx.jobs.enqueue('media.fetch-outside', { mediaId, attach, tries: tries + 1 }, { startAfterSeconds: pause })
  }
  await makeReady(ctx, mediaId, 'image', bytes, attachAs('arrived'), fail)
  if ('businessId' in attach) ctx.cache.invalidate('businesses')
}
