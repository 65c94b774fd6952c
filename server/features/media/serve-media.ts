import { Readable } from 'node:stream'
import type {} from '@fastify/compress' // Declares the route option `compress`.
import type { FastifyRequest } from 'fastify'
import { isUuid } from '#contracts/addresses.ts'
import type { Db } from '#server/db/connect.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { matchesEtag } from '#server/kernel/answer-cache.ts'
import { notFound } from '#server/kernel/errors.ts'
import type { Api } from '#server/kernel/route.ts'
import { rangeOf, sendStored } from '#server/kernel/storage.ts'
import { contentTypes, documentFile, fileKey } from './media-files.ts'
import { type IsForEveryone, type MediaUse, type MediaUseKind, usesOf } from './media-uses.ts'

/** Whether a viewer may see what these subjects show; implemented by the owning feature in at most one statement. */
export type MayReadMedia = (db: Db, actor: Actor, subjectIds: readonly string[], now: Date) => Promise<boolean>
/** Whether the viewer may decide a case about a subject that shows the file. */
export type MayReadMediaOfCase = (db: Db, actor: Actor, uses: readonly MediaUse[], now: Date) => Promise<boolean>

export type MediaRights = {
  /**
   * Kinds that may be public. Shared caches may store portraits, which appear next to names everywhere, but no other public media, which
   * may be deleted or become exclusive.
   */
  open: Partial<Record<MediaUseKind, { is: 'portrait' | 'public'; isForEveryone: IsForEveryone }>>
  byKind: Record<MediaUseKind, MayReadMedia>
  ofCase: MayReadMediaOfCase
}

const cacheControls = {
  portrait: 'public, max-age=31536000, immutable',
  // A shared cache would continue to serve media that was deleted or became exclusive; a browser only caches what its user has seen.
  public: 'private, max-age=31536000, immutable',
  forThisPerson: 'private, no-cache',
} as const

/** `GET /media/:id/:file`: files of ready pictures, videos and documents, whole or by range, with access checks. */
export function serveMedia({ app, ctx }: Api, rights: MediaRights): void {
  const open = Object.fromEntries(Object.entries(rights.open).map(([kind, { isForEveryone }]) => [kind, isForEveryone]))

  async function mayRead(actor: Actor, uses: readonly MediaUse[]): Promise<boolean> {
    const now = ctx.clock.now()
    for (const [kind, ofKind] of Map.groupBy(uses, (use) => use.kind)) {
      const subjectIds = ofKind.map(({ subjectId }) => subjectId)
      if (await rights.byKind[kind](ctx.db, actor, subjectIds, now)) return true
    }
    return uses.length > 0 && rights.ofCase(ctx.db, actor, uses, now)
  }

  /** Cache-Control for the file; null if the viewer may not see it. */
  async function cacheControlFor(id: string, file: string, request: FastifyRequest): Promise<string | null> {
    const media = await usesOf(ctx.db, id, /^(video|document)\./.test(file) ? partsOf(file) : { kind: 'image' }, open, ctx.clock.now())
    if (!media) return null
    const openAs = media.openTo && rights.open[media.openTo]
    if (openAs) return cacheControls[openAs.is]
    const actor = (await ctx.sessions.read(request.headers.cookie))?.actor
    if (!actor) return null
    if (actor.id === media.ownerId) return cacheControls.forThisPerson
    // Suspended people and those leaving see only their own and public media.
    if (actor.suspendedUntil !== null || actor.leavesAt !== null) return null
    return (await mayRead(actor, media.uses)) ? cacheControls.forThisPerson : null
  }

  app.get('/media/:id/:file', { compress: false }, async (request, reply) => {
    const { id, file } = request.params as { id: string; file: string }
    if (!isUuid(id) || !Object.hasOwn(contentTypes, file)) throw notFound()
    const cacheControl = await cacheControlFor(id, file, request)
    if (cacheControl === null) throw notFound()

    const etag = `"${id}-${file}"`
    reply.headers({
      'cache-control': cacheControl,
      etag,
      // Documents are downloaded: no browser may open them on the site's origin.
      'content-disposition': file === documentFile ? `attachment; filename="${documentFile}"` : 'inline',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.status(304).send()
    const isHead = request.method === 'HEAD'
    // Any range response includes the size. HTTP defines ranges only for GET.
    const range = isHead ? { first: 0, last: 0 } : rangeOf(request, etag)
    const stored = await ctx.storage.get(fileKey(id, file), range)
    if (!stored) {
      request.log.error({ mediaId: id, file }, 'a file is missing from the storage')
      throw notFound()
    }
    const type = contentTypes[file] as string
    if (isHead) {
      if ('body' in stored) stored.body.destroy()
      return reply.type(type).header('content-length', stored.size).send(Readable.from([]))
    }
    return sendStored(reply, stored, { type, isPart: range !== undefined })
  })
}

const partsOf = (file: string) => {
  const [kind, extension] = file.split('.')
  return { kind: kind as 'video' | 'document', extension: extension ?? '' }
}
