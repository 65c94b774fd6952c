// Knows the route's option `compress`.
import type {} from '@fastify/compress'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isUuid } from '../../../contracts/ids.ts'
import { admit } from '../../kernel/admit.ts'
import { etagOf } from '../../kernel/answer-cache.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Api } from '../../kernel/route.ts'
import { previewSvg, siteSvg, toPng } from './draw-preview.ts'
import { previewedBusiness } from './preview.queries.ts'

/** Pictures in memory, in bytes: some 40 kB each. */
const maxSize = 8 * 1024 * 1024
/** Services that show links fetch a picture once and keep it; a name that changes is seen after this, in seconds. */
const freshFor = 86_400

/**
 * `GET /business/:slug/preview.png` and `/preview.png`: what services that show links show with them. A business that is not shown to
 * everybody has none.
 */
export function registerPreviewImages({ app, ctx }: Api): void {
  const pictures = new LRUCache<string, Buffer, string>({
    maxSize,
    sizeCalculation: (picture) => picture.length,
    // Those who ask together wait for one drawing.
    fetchMethod: (_etag, _stale, { context: svg }) => toPng(svg),
  })

  async function send(request: FastifyRequest, reply: FastifyReply, svg: string) {
    const etag = etagOf(svg)
    reply.headers({
      etag,
      'cache-control': `public, max-age=${freshFor}`,
      // Pages of others may show it.
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (request.headers['if-none-match'] === etag) return reply.status(304).send()
    if (!pictures.has(etag)) await admit(ctx, request, 'drawing')
    return reply.type('image/png').send(await pictures.forceFetch(etag, { context: svg }))
  }

  app.get('/business/:slug/preview.png', { compress: false }, async (request, reply) => {
    await admit(ctx, request)
    const { slug } = request.params as { slug: string }
    const business = isUuid(slug) ? undefined : await previewedBusiness(ctx.db, slug)
    if (!business) throw notFound('Business not found.')
    return send(request, reply, previewSvg(business, ctx.brand.name))
  })

  const ofSite = siteSvg(ctx.brand.name, ctx.brand.tagline)
  app.get('/preview.png', { compress: false }, async (request, reply) => {
    await admit(ctx, request)
    return send(request, reply, ofSite)
  })
}
