// Knows the route's option `compress`.

import { Readable } from 'node:stream'
import type {} from '@fastify/compress'
import type { FastifyRequest } from 'fastify'
import { isUuid } from '../../../contracts/ids.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { rangeOf, sendStored } from '../../kernel/byte-range.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Api } from '../../kernel/route.ts'
import { contentTypes, documentFile, fileKey } from './media-files.ts'
import { type IsForEveryone, type MediaUse, type MediaUseKind, usesOf } from './media-uses.ts'

/** Whether a viewer may see what these subjects show, asked of the feature that owns them: one statement at most. */
export type MayReadMedia = (db: Db, actor: Actor, subjectIds: readonly string[], now: Date) => Promise<boolean>
/** Whether a viewer decides a case about something that shows the file. */
export type MayReadMediaOfCase = (db: Db, actor: Actor, uses: readonly MediaUse[], now: Date) => Promise<boolean>

export type MediaRights = {
  /** Kinds that everyone may see. A portrait is beside a name and never secret; what is public may be deleted or made exclusive. */
  open: Partial<Record<MediaUseKind, { is: 'portrait' | 'public'; isForEveryone: IsForEveryone }>>
  byKind: Record<MediaUseKind, MayReadMedia>
  ofCase: MayReadMediaOfCase
}

const cacheControls = {
  portrait: 'public, max-age=31536000, immutable',
  // A shared cache would go on showing what was deleted or made exclusive; a browser keeps what its own user has seen.
  public: 'private, max-age=31536000, immutable',
  forThisPerson: 'private, no-cache',
} as const

/** `GET /media/:id/:file`: the files of ready pictures, videos and documents, whole or in part, to those who may see them. */
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

  /** How the file may be cached, or null when this viewer may not see it. */
  async function cacheControlFor(id: string, file: string, request: FastifyRequest): Promise<string | null> {
    const media = await usesOf(ctx.db, id, /^(video|document)\./.test(file) ? partsOf(file) : { kind: 'image' }, open)
    if (!media) return null
    const openAs = media.openTo && rights.open[media.openTo]
    if (openAs) return cacheControls[openAs.is]
    const actor = (await ctx.sessions.read(request.headers.cookie))?.actor
    if (!actor) return null
    if (actor.id === media.ownerId) return cacheControls.forThisPerson
    // They see what is their own, and what everyone sees.
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
      // A document is for another program than this site's page: no browser opens it in our name.
      'content-disposition': file === documentFile ? `attachment; filename="${documentFile}"` : 'inline',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    })
    if (matches(request.headers['if-none-match'], etag)) return reply.status(304).send()
    const isHead = request.method === 'HEAD'
    // The size comes with any part of a file. A range is for GET alone, says the specification of HTTP.
    const range = isHead ? { first: 0, last: 0 } : rangeOf(request, etag)
    const stored = await ctx.storage.get(fileKey(id, file), range)
    if (!stored) {
      request.log.error({ mediaId: id, file }, 'the storage lacks a file')
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

/** Kind and extension of a file that is not one of many. */
const partsOf = (file: string) => {
  const [kind, extension] = file.split('.')
  return { kind: kind as 'video' | 'document', extension: extension ?? '' }
}

const matches = (header: string | undefined, etag: string) =>
  (header ?? '').split(',').some((each) => [etag, `W/${etag}`, '*'].includes(each.trim()))
