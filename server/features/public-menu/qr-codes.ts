import type { Color } from '@cantoo/pdf-lib'
import type {} from '@fastify/compress' // Declares the route option `compress`.
import { LRUCache } from 'lru-cache'
import { renderSVG } from 'uqr'
import { isUuid } from '#contracts/addresses.ts'
import { menuPath } from '#contracts/visitor-pages.ts'
import { notFound } from '#server/kernel/errors.ts'
import { drawLine, drawQrCode, type Fonts, fitText, hasAllGlyphs, ink, muted, newPdf, widthOf } from '#server/kernel/pdf.ts'
import { admit } from '#server/kernel/rate-limit.ts'
import type { Api } from '#server/kernel/route.ts'
import { businessOnCard } from './sharing.ts'

/** Cache size in bytes. Drawing a card blocks the event loop for several milliseconds. */
const maxCardBytes = 8 * 1024 * 1024

/** `GET /business/:slug/qr.svg` and `qr.pdf`: a QR code of the business's public menu, by itself or on a counter card. */
export function registerQrCodes({ app, ctx }: Api): void {
  const cardOf = async (slug: string) => {
    const business = isUuid(slug) ? undefined : await businessOnCard(ctx.db, slug)
    if (!business) throw notFound('Business not found.')
    return { business, url: ctx.config.publicUrl + menuPath(business.slug) }
  }
  const headersFor = (name: string) => ({
    'cache-control': 'public, max-age=3600',
    'content-disposition': `inline; filename="${name}"`,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  })

  app.get('/business/:slug/qr.svg', async (request, reply) => {
    await admit(ctx, request)
    const { business, url } = await cardOf((request.params as { slug: string }).slug)
    // The quiet zone of four modules is part of the code: without it, scanners fail on dark backgrounds.
    const svg = renderSVG(url, { ecc: 'M', border: 4 })
    return reply
      .headers(headersFor(`${business.slug}-qr.svg`))
      .type('image/svg+xml; charset=utf-8')
      .send(svg)
  })

  const cards = new LRUCache<string, Buffer, QrCard>({
    maxSize: maxCardBytes,
    sizeCalculation: (pdf, card) => pdf.length + 2 * card.length,
    // Concurrent requests share one drawing.
    fetchMethod: async (_card, _stale, { context }) => Buffer.from(await drawQrCard(context)),
  })
  app.get('/business/:slug/qr.pdf', { compress: false }, async (request, reply) => {
    await admit(ctx, request)
    const { business, url } = await cardOf((request.params as { slug: string }).slug)
    const card = { ...business, url, brandName: ctx.brand.name }
    // A changed name or address needs a new drawing.
    const key = JSON.stringify(card)
    if (!cards.has(key)) await admit(ctx, request, 'drawing')
    return reply
      .headers(headersFor(`${business.slug}-qr.pdf`))
      .type('application/pdf')
      .send(await cards.forceFetch(key, { context: card }))
  })
}

type QrCard = { name: string; type: string; address: string | null; location: string | null; url: string; brandName: string }

/** A6 portrait, in points (1/72 inch). */
const width = 297.64
const height = 419.53
/** Cutting is accurate to 3 mm, so everything is at least 10 mm from the edge. */
const margin = 28.35
const codeSize = 170
const room = width - 2 * margin

async function drawQrCard({ name, type, address, location, url, brandName }: QrCard): Promise<Uint8Array> {
  const { document, fonts } = await newPdf(`${name}: menu and reviews`, brandName)
  const { serif, text } = fonts
  const page = document.addPage([width, height])
  const line = (words: string, of: Fonts, size: number, y: number, color: Color) =>
    drawLine(page, words, { x: (width - widthOf(words, of, size)) / 2, y, size, fonts: of, color })
  // Don't mix two typefaces in one name.
  const headingFor = (words: string): Fonts => (hasAllGlyphs(words, serif) ? [serif] : text)

  let y = height - margin - 22
  const title = fitText(name, { width: room, fonts: headingFor(name), sizes: [22, 18, 15], maxLines: 2 })
  for (const part of title.lines) {
    line(part, headingFor(name), title.size, y, ink)
    y -= title.size * 1.22
  }
  y -= 2
  // Farms never show a street address, even if the column has one.
  const where = type === 'farm' ? location : [address, location].filter(Boolean).join(', ')
  const place = fitText(where ?? '', { width: room, fonts: text, sizes: [10.5], maxLines: 2 })
  for (const part of place.lines) {
    line(part, text, place.size, y, muted)
    y -= 15
  }

  const bottom = 92
  drawQrCode(page, url, (width - codeSize) / 2, bottom + (y - 4 - bottom - codeSize) / 2, codeSize)
  line('Menu and reviews', [serif], 18, 72, ink)
  const link = fitText(url.replace(/^https?:\/\//, ''), {
    width: room,
    fonts: text,
    sizes: [8.5, 7.5, 6.5],
    maxLines: 1,
    maxLinesSmallest: 2,
  })
  for (const [i, part] of link.lines.entries()) line(part, text, link.size, 54 - i * 10, muted)
  line(brandName, text, 8.5, margin, muted)
  return document.save()
}
