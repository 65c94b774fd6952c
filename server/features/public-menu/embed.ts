import fs from 'node:fs'
import type { FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import { flag, line, numeric, page } from '#contracts/fields.ts'
import { feedCacheMinutes } from '#contracts/limits.ts'
import type { MenuFeed, SharedItem } from '#contracts/public-menu.endpoints.ts'
import { menuPath } from '#contracts/visitor-pages.ts'
import { productAgeOf } from '#server/features/jurisdictions/index.ts'
import { menuPage } from '#server/features/menus/index.ts'
import { ageOf } from '#server/kernel/actor.ts'
import { etagOf, matchesEtag } from '#server/kernel/answer-cache.ts'
import { constantAnswer } from '#server/kernel/constant-answer.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { escapeHtml } from '#server/kernel/escape-html.ts'
import { admit } from '#server/kernel/rate-limit.ts'
import type { Api } from '#server/kernel/route.ts'
import { businessOfFeed, embeddedBusiness, readQuery, type SharedBusiness, tokenPattern, toSharedItem } from './sharing.ts'

const read = (name: string) => fs.readFileSync(new URL(`embed/${name}`, import.meta.url), 'utf8')

/** May be framed by any site, but loads and calls only this server. */
const framedPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
].join('; ')

const Query = z.object({ ...page, limit: z._default(page.limit.def.innerType, 100) })
/** `over`: the minimum age in years that the viewer confirmed. */
const EmbedQuery = z.extend(Query, { over: z.optional(numeric(z.number())), q: z.optional(line(120)), inStock: z.optional(flag()) })

/**
 * An embeddable menu, if the business turned it on:
 * - `GET /embed/menu.js` inserts a frame where the host page wants the menu
 * - `GET /embed/menu/:slug` is the framed page; it asks for the age and contains no products
 * - `GET /embed/menu/:slug/items` returns the products to people old enough: docs/decisions/014-age-outside-of-accounts.md
 */
export function registerEmbed({ app, ctx }: Api): void {
  const { brand } = ctx
  const files: Record<string, { type: string; body: string; isForOthers: boolean }> = {
    '/embed/menu.js': { type: 'text/javascript', body: read('loader.js').replaceAll('__BRAND__', brand.slug), isForOthers: true },
    '/embed/page.js': { type: 'text/javascript', body: read('page.js').replaceAll('__BRAND__', brand.slug), isForOthers: false },
    '/embed/menu.css': { type: 'text/css', body: read('menu.css'), isForOthers: false },
  }
  for (const [address, { type, body, isForOthers }] of Object.entries(files)) {
    const headers = { 'cross-origin-resource-policy': isForOthers ? 'cross-origin' : 'same-origin' }
    app.get(
      address,
      { compress: false },
      constantAnswer(ctx, { type: `${type}; charset=utf-8`, cacheControl: 'public, max-age=3600', headers, make: () => body }),
    )
  }

  app.get('/embed/menu/:slug', async (request, reply) => {
    await admit(ctx, request)
    const { slug } = request.params as { slug: string }
    const business = await embeddedBusiness(ctx.db, slug)
    allowFraming(reply)
    if (!business) return reply.status(404).send(missingPage())
    if (business.closure) return reply.send(closedPage(business.name))
    const { minimumAge, rule } = productAgeOf(business)
    return reply.send(embedPage({ business, minimumAge, rule, brandName: brand.name, publicUrl: ctx.config.publicUrl }))
  })

  app.get('/embed/menu/:slug/items', async (request, reply) => {
    await admit(ctx, request)
    const { slug } = request.params as { slug: string }
    const business = await embeddedBusiness(ctx.db, slug)
    if (!business) throw notFound('This menu isn’t shown here.')
    const { over = 0, ...query } = readQuery(EmbedQuery, request.query)
    const { minimumAge } = productAgeOf(business)
    const session = await ctx.sessions.read(request.headers.cookie)
    // A known birthday overrides the confirmed age.
    const age = ageOf(session?.actor ?? null, ctx.clock.now()) ?? over
    if (!(age >= minimumAge)) {
      throw new AppError('age_restricted', { message: `This menu is for people ${minimumAge} or older.` })
    }
    const { items, nextCursor } = await sharedItems(ctx, business, query)
    return reply
      .headers({ 'cache-control': 'private, no-store', 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" })
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ items, cursor: nextCursor }))
  })
}

/** No items while the business is closed: its prices don't apply. */
async function sharedItems(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id, closure }: SharedBusiness,
  query: Parameters<typeof menuPage>[2],
): Promise<{ items: SharedItem[]; nextCursor: string | null }> {
  if (closure) return { items: [], nextCursor: null }
  const { items, nextCursor } = await menuPage(db, id, query, clock.now())
  return { items: items.map(toSharedItem), nextCursor }
}

function allowFraming(reply: FastifyReply): void {
  reply.removeHeader('x-frame-options')
  reply.headers({
    'content-security-policy': framedPolicy,
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=60',
    'referrer-policy': 'strict-origin-when-cross-origin',
  })
  reply.type('text/html; charset=utf-8')
}

type Parts = { business: SharedBusiness; minimumAge: number; rule: string; brandName: string; publicUrl: string }

/** The framed page, which asks for the viewer's age. Contains no products: its script loads them after the answer. */
function embedPage({ business, minimumAge, rule, brandName, publicUrl }: Parts): string {
  const name = escapeHtml(business.name)
  const link = `${escapeHtml(publicUrl)}/menu/${escapeHtml(business.slug)}?from=embed`
  return htmlPage(
    `Menu for ${name}`,
    // The landmark has a name, because the page around the frame has landmarks of its own.
    `<main id="menu" aria-label="Menu for ${name}" data-items="/embed/menu/${escapeHtml(business.slug)}/items" data-age="${minimumAge}">
<h1>${name}</h1>
${business.location ? `<p class="place">${escapeHtml(business.location)}</p>` : ''}
<section id="gate" hidden>
<h2 tabindex="-1">Are you ${minimumAge} or older?</h2>
<p>${escapeHtml(rule)}</p>
<p class="choice"><button id="yes">Yes, I am</button><button id="no" class="quiet">No</button></p>
</section>
<noscript><p>The menu is at <a href="${link}" target="_blank" rel="noopener">${escapeHtml(brandName)}</a>.</p></noscript>
<p id="note" role="status"></p>
<form id="find" role="search" hidden>
<input id="q" type="search" maxlength="120" aria-label="Search this menu" placeholder="Search this menu" autocomplete="off">
<label><input id="in-stock" type="checkbox"> In stock only</label>
</form>
<div id="items"></div>
<p><button id="more" class="quiet" hidden>Show more</button></p>
<p class="place"><a href="${link}" target="_blank" rel="noopener">Reviews, hours and more on ${escapeHtml(brandName)}</a></p>
</main>
<script src="/embed/page.js"></script>`,
  )
}

const missingPage = (): string => htmlPage('Menu', '<main><h1>Menu</h1><p>This menu isn’t shown here.</p></main>')

const closedPage = (name: string): string =>
  htmlPage(
    `Menu for ${escapeHtml(name)}`,
    `<main><h1>${escapeHtml(name)}</h1><p>Prices aren’t shown while the business is closed.</p></main>`,
  )

const htmlPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/embed/menu.css">
</head>
<body>
${body}
</body>
</html>
`

/** `GET /feeds/menus/:token.json`: a menu for other programs. Includes the minimum age, which a program that shows the menu must check. */
export function registerMenuFeed({ app, ctx }: Api): void {
  app.get('/feeds/menus/:token.json', async (request, reply) => {
    await admit(ctx, request)
    const { token } = request.params as { token: string }
    const business = tokenPattern.test(token) ? await businessOfFeed(ctx.db, token) : undefined
    if (!business) throw notFound('Feed not found.')
    const query = readQuery(Query, request.query)
    const { items, nextCursor } = await sharedItems(ctx, business, query)
    const { publicUrl } = ctx.config
    const { minimumAge, rule, source } = productAgeOf(business)
    const next =
      nextCursor && `${publicUrl}/feeds/menus/${token}.json?${new URLSearchParams({ limit: `${query.limit}`, cursor: nextCursor })}`
    const feed: MenuFeed = {
      version: 2,
      business: {
        id: business.id,
        name: business.name,
        type: business.type,
        location: business.location,
        url: publicUrl + menuPath(business.slug),
      },
      minimumAge,
      ageRule: rule,
      ageSource: source,
      items,
      next,
    }
    const body = JSON.stringify(feed)
    const etag = etagOf(body)
    reply.headers({
      etag,
      'cache-control': `public, max-age=${feedCacheMinutes * 60}`,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'etag, link',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      // The address is a secret, so search engines must not list it.
      'x-robots-tag': 'noindex',
    })
    if (next) reply.header('link', `<${next}>; rel="next"`)
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.status(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  })
}
