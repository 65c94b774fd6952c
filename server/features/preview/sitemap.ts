import { Readable } from 'node:stream'
import type {} from '@fastify/compress'
import { isUuid, textPages } from '#contracts/addresses.ts'
import { utcDate } from '#contracts/age.ts'
import { hourMs } from '#contracts/time.ts'
import { menuPath } from '#contracts/visitor-pages.ts'
import type { Db } from '#server/db/connect.ts'
import { createPlaceCounts, placePaths } from '#server/features/places/index.ts'
import { strainPathsInStock } from '#server/features/strain-pages/index.ts'
import { cacheAndRefresh } from '#server/kernel/answer-cache.ts'
import { constantAnswer } from '#server/kernel/constant-answer.ts'
import { notFound } from '#server/kernel/errors.ts'
import { escapeHtml } from '#server/kernel/escape-html.ts'
import { admit } from '#server/kernel/rate-limit.ts'
import type { Api } from '#server/kernel/route.ts'

/** The maximum number of URLs per sitemap in the sitemap protocol. */
const sitemapSize = 50_000

/** Excludes demo businesses (they are fictional), closed ones, and those that are held, hidden or removed. */
const listed = (db: Db) =>
  db.selectFrom('businesses').where('moderation', 'is', null).where('closure', 'is', null).where('is_demo', '=', false)

/** The first ID of each sitemap, in ID order. */
export async function sitemapStarts(db: Db, size = sitemapSize): Promise<string[]> {
  const starts: string[] = []
  let after: string | null = null
  for (;;) {
    const first: { id: string } | undefined = await listed(db)
      .select('id')
      .$if(after !== null, (query) => query.where('id', '>', after as string))
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!first) return starts
    starts.push(first.id)
    const last: { id: string } | undefined = await listed(db)
      .select('id')
      .where('id', '>=', first.id)
      .orderBy('id')
      .offset(size - 1)
      .limit(1)
      .executeTakeFirst()
    if (!last) return starts
    after = last.id
  }
}

/** A batch of a sitemap's businesses, starting with the ID `from`, or after it if `isAfter`. */
export const sitemapRows = (db: Db, from: string, limit: number, isAfter: boolean) =>
  listed(db)
    .select(['id', 'slug', 'updated_at'])
    .where('id', isAfter ? '>' : '>=', from)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Public pages whose addresses change only when a new version is deployed. */
const publicPaths = ['/landing', '/discover', ...textPages, '/moderation-log']

const batch = 1000
/** The starts of sitemaps and the strains in stock are cached this long, because finding them reads whole tables. */
const startsCacheMs = hourMs

const xml = 'application/xml; charset=utf-8'
const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** `GET /robots.txt`, `/sitemap.xml` (an index) and `/sitemaps/…`. */
export function registerSitemap({ app, ctx }: Api): void {
  const { publicUrl } = ctx.config
  const cacheControl = 'public, max-age=3600'
  const startsOf = cacheAndRefresh({
    read: () => sitemapStarts(ctx.db),
    freshMs: startsCacheMs,
    maxAgeMs: startsCacheMs,
    nowMs: () => ctx.clock.now().getTime(),
  })
  const countsOf = createPlaceCounts(ctx)

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

  app.get('/sitemaps/places.xml', async (request, reply) => {
    await admit(ctx, request)
    const paths = placePaths(await countsOf())
    return reply
      .header('cache-control', cacheControl)
      .type(xml)
      .send(set(paths.map((path) => entry(publicUrl + path)).join('')))
  })

  const strainsOf = cacheAndRefresh({
    read: () => strainPathsInStock(ctx.db),
    freshMs: startsCacheMs,
    maxAgeMs: startsCacheMs,
    nowMs: () => ctx.clock.now().getTime(),
  })
  app.get('/sitemaps/strains.xml', async (request, reply) => {
    await admit(ctx, request)
    return reply
      .header('cache-control', cacheControl)
      .type(xml)
      .send(set((await strainsOf()).map((path) => entry(publicUrl + path)).join('')))
  })

  app.get('/sitemap.xml', async (request, reply) => {
    await admit(ctx, request)
    const addresses = ['pages', 'places', 'strains', ...(await startsOf())].map(
      (name) => `<sitemap><loc>${publicUrl}/sitemaps/${name}.xml</loc></sitemap>`,
    )
    return reply
      .header('cache-control', cacheControl)
      .type(xml)
      .send(`${head}<sitemapindex ${namespace}>${addresses.join('')}</sitemapindex>\n`)
  })

  app.get('/sitemaps/:name.xml', async (request, reply) => {
    // Each sitemap reads up to 50,000 rows, so it counts against the limit for expensive documents.
    await admit(ctx, request, 'drawing')
    const { name } = request.params as { name: string }
    reply.header('cache-control', cacheControl).type(xml)
    if (!isUuid(name) || !(await startsOf()).includes(name)) throw notFound('Sitemap not found.')
    return reply.send(Readable.from(businesses(ctx.db, publicUrl, name)))
  })
}

/** Paths that crawlers shouldn't fetch. Pages to leave out of results use `noindex`, which a crawler sees only if it may fetch them. */
const closed = ['/api/', '/media/', '/dev/', '/embed/', '/feeds/', '/unsubscribe/', '/taste/', '/invitations/', '/offline/']

const set = (entries: string) => `${head}<urlset ${namespace}>${entries}</urlset>\n`
const entry = (address: string, changed?: Date) =>
  `<url><loc>${escapeHtml(address)}</loc>${changed ? `<lastmod>${utcDate(changed)}</lastmod>` : ''}</url>\n`

async function* businesses(db: Db, publicUrl: string, from: string): AsyncGenerator<string> {
  yield `${head}<urlset ${namespace}>`
  let at = from
  for (let written = 0; written < sitemapSize; ) {
    const rows = await sitemapRows(db, at, Math.min(batch, sitemapSize - written), written > 0)
    yield rows.map(({ slug, updated_at }) => entry(publicUrl + menuPath(slug), updated_at)).join('')
    written += rows.length
    const last = rows.at(-1)
    if (!last || rows.length < batch) break
    at = last.id
  }
  yield '</urlset>\n'
}
