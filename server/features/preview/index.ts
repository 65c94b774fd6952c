import type {} from '@fastify/compress' // Declares the route option `compress`.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isUuid } from '#contracts/addresses.ts'
import { publicLocation } from '#contracts/businesses.rules.ts'
import type { Db } from '#server/db/connect.ts'
import { requireBusiness } from '#server/features/businesses/index.ts'
import { etagOf, matchesEtag } from '#server/kernel/answer-cache.ts'
import { notFound } from '#server/kernel/errors.ts'
import { admit } from '#server/kernel/rate-limit.ts'
import type { Api } from '#server/kernel/route.ts'
import { registerSitemap } from './sitemap.ts'

export function registerPreview(api: Api): void {
  registerPreviewImages(api)
  registerSitemap(api)
}

/** Cache size in bytes; an image takes about 40 kB. */
const maxSize = 8 * 1024 * 1024
/** How long other services may cache a preview, and so show an old name, in seconds. */
const freshFor = 86_400

/** Lets other sites embed the image. */
const embeddable = { 'cross-origin-resource-policy': 'cross-origin' }

/** Loaded on first use, because loading fonts, colors and the image library would noticeably slow down startup. */
const drawing = () => import('./preview-images.ts')

/**
 * `GET /business/:slug/preview.png` and `/preview.png`: link preview images. Businesses that aren't public have none. The address of a
 * merged business redirects, because messengers and search engines still load it.
 */
function registerPreviewImages({ app, ctx }: Api): void {
  const pictures = new LRUCache<string, Buffer, string>({
    maxSize,
    sizeCalculation: (picture) => picture.length,
    // Concurrent requests share one drawing.
    fetchMethod: async (_etag, _stale, { context: svg }) => (await drawing()).toPng(svg),
  })

  async function send(request: FastifyRequest, reply: FastifyReply, svg: string) {
    const etag = etagOf(svg)
    reply.headers({
      ...embeddable,
      etag,
      'cache-control': `public, max-age=${freshFor}`,
    })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.status(304).send()
    if (!pictures.has(etag)) await admit(ctx, request, 'drawing')
    return reply.type('image/png').send(await pictures.forceFetch(etag, { context: svg }))
  }

  app.get('/business/:slug/preview.png', { compress: false }, async (request, reply) => {
    await admit(ctx, request)
    const { slug } = request.params as { slug: string }
    if (isUuid(slug)) throw notFound('Business not found.')
    const business = await previewedBusiness(ctx.db, slug)
    if (!business) {
      const remaining = await requireBusiness(ctx.db, slug)
      return reply.headers(embeddable).redirect(`/business/${remaining.slug}/preview.png`, 301)
    }
    const { previewSvg } = await drawing()
    return send(request, reply, previewSvg(business, ctx.brand.name))
  })

  let ofSite: string | undefined
  app.get('/preview.png', { compress: false }, async (request, reply) => {
    await admit(ctx, request)
    ofSite ??= (await drawing()).siteSvg(ctx.brand.name, ctx.brand.tagline)
    return send(request, reply, ofSite)
  })
}

export async function previewedBusiness(db: Db, slug: string) {
  const row = await db
    .selectFrom('businesses')
    .select(['id', 'type', 'name', 'location', 'city', 'state'])
    .where('slug', '=', slug)
    .where('moderation', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, type, name, city, state } = row
  return { id, type, name, city: city ? [city, state].filter(Boolean).join(', ') : publicLocation(row) }
}
