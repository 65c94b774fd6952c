// Knows the route's option `compress`.
import type {} from '@fastify/compress'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUuid } from '../../../contracts/ids.ts'
import { admit } from '../../kernel/admit.ts'
import { etagOf } from '../../kernel/answer-cache.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Api } from '../../kernel/route.ts'
import { previewSvg, siteSvg, toPng } from './draw-preview.ts'
import { previewedBusiness } from './preview.queries.ts'

/** Pictures kept in memory: some 40 kB each. */
const mostKept = 200
/** Services that show links fetch a picture once and keep it; a name that changes is seen after this, in seconds. */
const freshFor = 86_400

/**
 * `GET /business/:slug/preview.png` and `/preview.png`: what services that show links show with them. A business that is not shown to
 * everybody has none.
 */
export function registerPreviewImages({ app, ctx }: Api): void {
  const kept = new Map<string, Promise<Buffer>>()

  async function send(request: FastifyRequest, reply: FastifyReply, svg: string) {
    const etag = etagOf(svg)
    reply.headers({
      etag,
      'cache-control': `public, max-age=${freshFor}`,
      // Pages of others may show it.
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (request.headers['if-none-match'] === etag) return reply.status(304).send()
    let picture = kept.get(etag)
    if (!picture) {
      await admit(ctx, request, 'drawing')
      picture = toPng(svg)
      picture.catch(() => kept.delete(etag))
    }
    // The one that was asked for last goes last.
    kept.delete(etag)
    kept.set(etag, picture)
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest) kept.delete(oldest)
    return reply.type('image/png').send(await picture)
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
