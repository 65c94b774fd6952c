import { Readable } from 'node:stream'
// Knows the route's option `compress`.
import type {} from '@fastify/compress'
import { isUuid } from '../../../contracts/ids.ts'
import { textPages } from '../../../contracts/text-pages.ts'
import type { Db } from '../../db/connect.ts'
import { admit } from '../../kernel/admit.ts'
import { constantAnswer } from '../../kernel/constant-answer.ts'
import { notFound } from '../../kernel/errors.ts'
import { escapeHtml } from '../../kernel/escape-html.ts'
import type { Api } from '../../kernel/route.ts'
import { sitemapRows, sitemapSize, sitemapStarts } from './preview.queries.ts'

/** Pages that everybody may read and that change with a deployment. */
const publicPaths = ['/landing', '/discover', ...textPages, '/moderation-log']

/** Rows that are in memory at once while a sitemap is written. */
const batch = 1000
/** Counting a million rows takes a moment, and crawlers come once a day. In milliseconds. */
const keepStartsFor = 60 * 60_000

const xml = 'application/xml; charset=utf-8'
const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** `GET /robots.txt`, `/sitemap.xml` (an index) and `/sitemaps/…`: what search engines may read, and where everything public is. */
export function registerSitemap({ app, ctx }: Api): void {
  const { publicUrl } = ctx.config
  const cacheControl = 'public, max-age=3600'
  const startsOf = keptFor(
    keepStartsFor,
    () => sitemapStarts(ctx.db),
    () => ctx.clock.now().getTime(),
  )

  app.get(
    '/robots.txt',
    { compress: false },
    constantAnswer(ctx, {
      type: 'text/plain; charset=utf-8',
      cacheControl,
      make: () =>
        `${['User-agent: *', ...closed.map((path) => `Disallow: ${path}`), '', `Sitemap: ${publicUrl}/sitemap.xml`].join('\n')}\n`,
    }),
  )

  const pages = constantAnswer(ctx, {
    type: xml,
    cacheControl,
    make: () => set([...publicPaths, `/${ctx.brand.slug}`].map((path) => entry(publicUrl + path)).join('')),
  })
  app.get('/sitemaps/pages.xml', { compress: false }, pages)

  app.get('/sitemap.xml', async (request, reply) => {
    await admit(ctx, request)
    const addresses = ['pages', ...(await startsOf())].map((name) => `<sitemap><loc>${publicUrl}/sitemaps/${name}.xml</loc></sitemap>`)
    return reply
      .header('cache-control', cacheControl)
      .type(xml)
      .send(`${head}<sitemapindex ${namespace}>${addresses.join('')}</sitemapindex>\n`)
  })

  app.get('/sitemaps/:name.xml', async (request, reply) => {
    // Up to 50,000 rows each, which a crawler reads once a day.
    await admit(ctx, request, 'drawing')
    const { name } = request.params as { name: string }
    reply.header('cache-control', cacheControl).type(xml)
    if (!isUuid(name) || !(await startsOf()).includes(name)) throw notFound('There is no such sitemap.')
    return reply.send(Readable.from(businesses(ctx.db, publicUrl, name)))
  })
}

/** What is not for search engines. Pages that say `noindex` are not here: a crawler that may not read them would not see that. */
const closed = ['/api/', '/media/', '/dev/', '/embed/', '/feeds/', '/unsubscribe/', '/taste/', '/invitations/', '/offline/']

const set = (entries: string) => `${head}<urlset ${namespace}>${entries}</urlset>\n`
const entry = (address: string, changed?: Date) =>
  `<url><loc>${escapeHtml(address)}</loc>${changed ? `<lastmod>${changed.toISOString().slice(0, 10)}</lastmod>` : ''}</url>\n`

/** The businesses from an id on, a thousand at a time. */
async function* businesses(db: Db, publicUrl: string, from: string): AsyncGenerator<string> {
  yield `${head}<urlset ${namespace}>`
  let at = from
  for (let written = 0; written < sitemapSize; ) {
    const rows = await sitemapRows(db, at, Math.min(batch, sitemapSize - written), written > 0)
    yield rows.map(({ slug, updated_at }) => entry(`${publicUrl}/business/${slug}`, updated_at)).join('')
    written += rows.length
    const last = rows.at(-1)
    if (!last || rows.length < batch) break
    at = last.id
  }
  yield '</urlset>\n'
}

/** An answer that is kept for a while; several who ask at once wait for the same. */
function keptFor<T>(milliseconds: number, read: () => Promise<T>, clockMs: () => number): () => Promise<T> {
  let kept: { at: number; value: Promise<T> } | undefined
  return () => {
    if (!kept || clockMs() - kept.at >= milliseconds) {
      const value = read()
      kept = { at: clockMs(), value }
      value.catch(() => {
        kept = undefined
      })
    }
    return kept.value
  }
}
