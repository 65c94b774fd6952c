import type { WritingKind } from '#compliance/rules.ts'
import * as contract from '#contracts/media.endpoints.ts'
import type { Upload } from '#contracts/media.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { requirePublishableWords } from '#server/features/screening/index.ts'
import { type Actor, requireNotMuted } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { type Attachers, type AttachTo, fetchAndAttach } from './fetch-outside.ts'
import { lockMedia, ownMediaRow, toUpload } from './media.queries.ts'
import { isStillOwn, readPlaceOf } from './media-uses.ts'
import { processUpload } from './process-upload.ts'
import { beginUpload, receiveBytes } from './receive-upload.ts'
import { removeUpload, sweepMedia } from './remove-media.ts'
import { type MediaRights, serveMedia } from './serve-media.ts'

export { fetchOutside, storePicture } from './fetch-outside.ts'
export { descriptionsOf, mediaOf } from './media.queries.ts'
export { chunkKey, contentTypes } from './media-files.ts'
export { type IsForEveryone, requireReadyMedia, storedFileKeys, syncMediaUses } from './media-uses.ts'
export type { MayReadMedia, MayReadMediaOfCase } from './serve-media.ts'

export function registerMedia(api: Api, rights: MediaRights): void {
  route(api, contract.beginUpload, ({ ctx, actor, body, idempotency }) => beginUpload(ctx, actor, body, idempotency))
  route(api, contract.uploadChunk, ({ ctx, actor, params, query, bytes }) => receiveBytes(ctx, actor, params.id, query.offset, bytes))
  route(api, contract.getUpload, async ({ ctx, actor, params }) => {
    const row = await ownMediaRow(ctx.db, actor.id, params.id)
    if (!row) throw notFound('This upload no longer exists.')
    return toUpload(row)
  })
  route(api, contract.describeMedia, ({ ctx, actor, params, body }) => describe(ctx, actor, params.id, body.alt))
  route(api, contract.removeUpload, ({ ctx, actor, params }) => removeUpload(ctx, actor, params.id))
  serveMedia(api, rights)
}

/** @throws AppError not_found, muted, invalid_input for text that isn't allowed where the file is shown */
function describe(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, id: string, alt: string): Promise<Upload> {
  // The upload may already be shown with a post.
  if (alt !== '') requireNotMuted(actor)
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockMedia(tx, id)
    const changed = await tx
      .updateTable('media')
      .set({ alt, updated_at: ctx.clock.now() })
      .where('id', '=', id)
      .where('owner_id', '=', actor.id)
      .where(isStillOwn)
      .returning('id')
      .executeTakeFirst()
    const row = changed && (await ownMediaRow(tx, actor.id, changed.id))
    if (!before || !row) throw notFound('This upload no longer exists.')
    const place = await readPlaceOf(tx, id)
    if (place) {
      await requirePublishableWords(tx, ctx, actor, {
        kind: kindOf(place),
        texts: [alt],
        before: [before.alt],
        businessId: place.business_id,
        field: 'alt',
      })
    }
    return toUpload(row)
  })
}

function kindOf({ kind, community_id }: { kind: string; community_id: string | null }): WritingKind {
  if (kind === 'review') return kind
  if (kind === 'post') return community_id === null ? kind : 'community_post'
  return 'hunt'
}

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'media.process': { mediaId: string }
    'media.fetch-outside': { mediaId: string; attach: AttachTo; tries?: number }
    'media.sweep': Record<string, never>
  }
}

type MediaJob = 'media.process' | 'media.fetch-outside' | 'media.sweep'

export function mediaJobs(ctx: Context, attachers: Attachers): Pick<JobHandlers, MediaJob> {
  return {
    'media.process': ({ mediaId }) => processUpload(ctx, mediaId),
    'media.fetch-outside': (data) => fetchAndAttach(ctx, attachers, data),
    async 'media.sweep'() {
      const { removed } = await sweepMedia(ctx)
      if (removed > 0) ctx.log.info({ removed }, 'removed unused uploads')
    },
  }
}

export const mediaSchedules: readonly JobSchedule[] = [{ name: 'media.sweep', cron: '43 4 * * *', data: {} }]
