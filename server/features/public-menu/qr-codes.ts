// Knows the route's option `compress`.
import type {} from '@fastify/compress'
import { LRUCache } from 'lru-cache'
import { renderSVG } from 'uqr'
import { isUuid } from '../../../contracts/ids.ts'
import { admit } from '../../kernel/admit.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Api } from '../../kernel/route.ts'
import { drawQrCard, type QrCard } from './qr-card.ts'
import { businessOnCard } from './sharing.queries.ts'

/** Cards in memory. Drawing one holds up everyone for some milliseconds. */
const maxCardBytes = 8 * 1024 * 1024

/** `GET /business/:slug/qr.svg` and `qr.pdf`: a code that leads to a business's page, by itself or on a card for the counter. */
export function registerQrCodes({ app, ctx }: Api): void {
  const cardOf = async (slug: string) => {
    const business = isUuid(slug) ? undefined : await businessOnCard(ctx.db, slug)
    if (!business) throw notFound('Business not found.')
    return { business, url: `${ctx.config.publicUrl}/business/${business.slug}` }
  }
  const headersFor = (name: string) => ({
    'cache-control': 'public, max-age=3600',
    'content-disposition': `inline; filename="${name}"`,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  })

  app.get('/business/:slug/qr.svg', async (request, reply) => {
    await admit(ctx, request)
    const { business, url } = await cardOf((request.params as { slug: string }).slug)
    // Four modules of white around it are part of the code: without them scanners fail on a dark ground.
    const svg = renderSVG(url, { ecc: 'M', border: 4 })
    return reply
      .headers(headersFor(`${business.slug}-qr.svg`))
      .type('image/svg+xml; charset=utf-8')
      .send(svg)
  })

  const cards = new LRUCache<string, Buffer, QrCard>({
    maxSize: maxCardBytes,
    sizeCalculation: (pdf, card) => pdf.length + 2 * card.length,
    // Those who ask together wait for one drawing.
    fetchMethod: async (_card, _stale, { context }) => Buffer.from(await drawQrCard(context)),
  })
  app.get('/business/:slug/qr.pdf', { compress: false }, async (request, reply) => {
    await admit(ctx, request)
    const { business, url } = await cardOf((request.params as { slug: string }).slug)
    const card = { ...business, url, brandName: ctx.brand.name }
    // Another name or address is another card.
    const key = JSON.stringify(card)
    if (!cards.has(key)) await admit(ctx, request, 'drawing')
    return reply
      .headers(headersFor(`${business.slug}-qr.pdf`))
      .type('application/pdf')
      .send(await cards.forceFetch(key, { context: card }))
  })
}
