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
import { isPortrait } from './media.queries.ts'
import { contentTypes, documentFile, fileKey } from './media-files.ts'

/** Whether somebody may see a file that a post, a product, a license… shows; `public` is for everybody. */
export type MediaAccess = 'public' | 'allowed' | 'denied' | 'unattached'
/** Asked of each feature that shows files; one that knows nothing of this one answers `unattached`. */
export type MayReadMedia = (db: Db, actor: Actor | null, mediaId: string, now: Date) => Promise<MediaAccess>

/** Beside a name, and never secret. */
const portrait = 'public, max-age=31536000, immutable'
/**
 * Of a post that everybody may see. A cache that many share would go on showing what was deleted or made exclusive; a browser
 * keeps what its own person has seen.
 */
const forEverybody = 'private, max-age=31536000, immutable'
const forThisPerson = 'private, no-cache'

/** `GET /media/:id/:file`: the files of ready pictures, videos and documents, whole or in part, to those who may see them. */
export function serveMedia({ app, ctx }: Api, features: readonly MayReadMedia[]): void {
  const fileOf = (id: string, file: string) =>
    ctx.db
      .selectFrom('media')
      .select(['owner_id', isPortrait.as('is_portrait')])
      .where('id', '=', id)
      .where('status', '=', 'ready')
      .where((eb) => eb.and(/^(video|document)\./.test(file) ? partsOf(file) : { kind: 'image' as const }))
      .executeTakeFirst()

  /** A file is shown in one place: the first feature that knows it decides. */
  const accessOf = async (actor: Actor | null, id: string): Promise<MediaAccess> => {
    for (const mayRead of features) {
      const access = await mayRead(ctx.db, actor, id, ctx.clock.now())
      if (access !== 'unattached') return access
    }
    return 'unattached'
  }

  /** How it may be kept, or null when this viewer may not see it. */
  const cacheControlFor = async (media: NonNullable<Awaited<ReturnType<typeof fileOf>>>, id: string, request: FastifyRequest) => {
    if (media.is_portrait) return portrait
    if ((await accessOf(null, id)) === 'public') return forEverybody
    const session = await ctx.sessions.read(request.headers.cookie)
    if (!session) return null
    if (session.actor.id === media.owner_id) return forThisPerson
    // They see what is their own, and what everybody sees.
    if (session.actor.suspendedUntil !== null || session.actor.leavesAt !== null) return null
    const access = await accessOf(session.actor, id)
    return access === 'allowed' || access === 'public' ? forThisPerson : null
  }

  app.get('/media/:id/:file', { compress: false }, async (request, reply) => {
    const { id, file } = request.params as { id: string; file: string }
    if (!isUuid(id) || !Object.hasOwn(contentTypes, file)) throw notFound()
    const media = await fileOf(id, file)
    const cacheControl = media && (await cacheControlFor(media, id, request))
    if (!cacheControl) throw notFound()

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
