import * as z from 'zod/mini'
import { page } from '#contracts/fields.ts'
import type { MenuFeed } from '#contracts/public-menu.endpoints.ts'
import { menuPath } from '#contracts/visitor-pages.ts'
import { productAgeOf } from '#server/features/jurisdictions/index.ts'
import { menuPage } from '#server/features/menus/index.ts'
import { etagOf } from '#server/kernel/answer-cache.ts'
import { notFound } from '#server/kernel/errors.ts'
import { admit } from '#server/kernel/rate-limit.ts'
import type { Api } from '#server/kernel/route.ts'
import { businessOfFeed, readQuery, tokenPattern, toSharedItem } from './sharing.ts'

const Query = z.object({ ...page, limit: z._default(page.limit.def.innerType, 100) })

/** Cache lifetime in seconds, and so the maximum age of a price. */
const freshFor = 300

/**
 * `GET /feeds/menus/:token.json`: a menu for other programs. Includes the minimum age, which the program that shows the menu must check.
 */
export function registerMenuFeed({ app, ctx }: Api): void {
  app.get('/feeds/menus/:token.json', async (request, reply) => {
    await admit(ctx, request)
    const { token } = request.params as { token: string }
    const business = tokenPattern.test(token) ? await businessOfFeed(ctx.db, token) : undefined
    if (!business) throw notFound('Feed not found.')
    const query = readQuery(Query, request.query)
    const { items, nextCursor } = await menuPage(ctx.db, business.id, query)
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
      items: items.map(toSharedItem),
      next,
    }
    const body = JSON.stringify(feed)
    const etag = etagOf(body)
    reply.headers({
      etag,
      'cache-control': `public, max-age=${freshFor}`,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'etag, link',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      // The address is a secret.
      'x-robots-tag': 'noindex',
    })
    if (next) reply.header('link', `<${next}>; rel="next"`)
    if (request.headers['if-none-match'] === etag) return reply.status(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  })
}
