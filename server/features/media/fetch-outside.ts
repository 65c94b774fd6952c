import { maxImageBytes } from '#contracts/media.rules.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type Context, OutsideRefused } from '#server/kernel/context.ts'
import { newId } from '#server/kernel/ids.ts'
import { readHeader, refusals } from '#server/kernel/media-header.ts'
import { MediaRefused } from '#server/kernel/media-maker.ts'
import { mediaRow } from './media.queries.ts'
import { allFileKeys } from './media-files.ts'
import { failMedia, isUnavailable, makeReady } from './process-upload.ts'
import { requireRoom } from './receive-upload.ts'

export type AttachTo = { postId: string } | { businessId: string }

/** How to attach a picture from another site, implemented by the features that own the tables. No-op if the subject was deleted. */
export type Attachers = {
  /** Runs in the transaction that stores the picture or gives up on it. The post then shows the picture or stops waiting for it. */
  toPost(tx: Tx, postId: string, mediaId: string, has: 'arrived' | 'failed', now: Date): Promise<void>
  toBusiness(tx: Tx, businessId: string, mediaId: string): Promise<void>
}

declare module '#server/kernel/events.ts' {
  interface EventData {
    /** A picture from another site could not be fetched. Its row stores the reason. */
    'media.fetch-failed': { mediaId: string; postId: string | null; businessId: string | null }
  }
}

/**
 * Schedules the download of a picture from another site, so that viewers' browsers never connect to that site. Returns the picture's ID.
 * @throws AppError conflict if the person has too much pending or unattached media
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
    // The picture's size is unknown until it arrives; until then, it counts as the maximum.
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

const pausesInSeconds = [60, 600, 3600]
const storagePauseSeconds = 600

/** Retries if the site doesn't respond, but not if it refuses. */
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
    if (pause === undefined) return fail('The site didn’t respond.')
    ctx.log.warn({ err: error, mediaId, tries }, 'a site did not respond for a picture')
    return ctx.jobs.enqueue('media.fetch-outside', { mediaId, attach, tries: tries + 1 }, { startAfterSeconds: pause })
  }
  try {
    await makeReady(ctx, mediaId, 'image', bytes, attachAs('arrived'), fail)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    // Waits a long time, because the picture must be fetched from its site again. The attempt doesn't count, because the site responded.
    ctx.log.warn({ err: error, mediaId }, 'a picture from another site could not be stored')
    return ctx.jobs.enqueue('media.fetch-outside', { mediaId, attach, tries }, { startAfterSeconds: storagePauseSeconds })
  }
  if ('businessId' in attach) ctx.cache.invalidate('businesses')
}

/**
 * Stores a picture owned by a person or, by default, by no one. `attach` runs in the transaction that makes it ready; a picture left
 * unattached is swept. Returns why the picture can't be shown, or null.
 * @throws AppError conflict if the owner has too much pending or unattached media, and anything `attach` throws
 */
export async function storePicture(
  ctx: Pick<Ctx, 'db' | 'clock' | 'storage' | 'mediaMaker' | 'log'>,
  { url = null, ownerId = null, bytes }: { url?: string | null; ownerId?: string | null; bytes: Buffer },
  attach: (tx: Tx, mediaId: string) => Promise<void>,
): Promise<string | null> {
  const id = newId()
  const now = ctx.clock.now()
  const values = { kind: 'image' as const, status: 'processing' as const, byte_size: bytes.length, source_url: url }
  await inTransaction(ctx.db, async (tx) => {
    if (ownerId !== null) {
      // Without this lock, two pictures stored concurrently could exceed the limit together.
      await tx.selectFrom('users').select('id').where('id', '=', ownerId).forNoKeyUpdate().execute()
      await requireRoom(tx, ownerId, bytes.length)
    }
    await tx
      .insertInto('media')
      .values({ id, owner_id: ownerId, ...values, created_at: now, updated_at: now })
      .execute()
  })
  let error: string | null = null
  const remove = () => ctx.db.deleteFrom('media').where('id', '=', id).execute()
  try {
    await makeReady(
      ctx,
      id,
      'image',
      bytes,
      (tx) => attach(tx, id),
      async (reason) => {
        error = reason
        await remove()
      },
    )
  } catch (failure) {
    // Something failed, or `attach` refused the picture.
    await remove()
    await ctx.storage.delete(allFileKeys(id))
    throw failure
  }
  return error
}
