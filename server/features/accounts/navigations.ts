import type { FastifyReply } from 'fastify'
import { safeReturnTo } from '../../../contracts/return-to.ts'
import { addressGroup } from '../../kernel/client-address.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Api } from '../../kernel/route.ts'
import type { Auth } from './auth.ts'
import { finishConnecting } from './connect-openid.ts'
import { isOwnNavigation, logout } from './logout.ts'
import { openIdCallbackPath } from './openid.ts'

/** Addresses that a browser opens, not calls with a contract. The last one exists only with an OpenID provider. */
export const accountNavigations: readonly string[] = ['GET /api/login', 'GET /api/logout', `GET ${openIdCallbackPath}`]

export function addNavigations({ app, ctx }: Api, auth: Auth): void {
  const { openId } = auth

  app.get('/api/login', async (request, reply) => {
    const query = request.query as { returnTo?: unknown; switch?: unknown }
    const returnTo = safeReturnTo(query.returnTo)
    const cookies: string[] = []
    if (await ctx.sessions.read(request.headers.cookie)) {
      // A person who chose another account leaves this one first.
      if (query.switch === undefined || !isOwnNavigation(request, ctx.config)) return redirect(reply, returnTo ?? '/')
      cookies.push(...(await logout(ctx, auth, request.headers.cookie)))
    }
    if (!openId) return redirect(reply, authPage(returnTo === null ? {} : { returnTo }), cookies)
    await ctx.rateLimiter.consume('sign-in', `address:${addressGroup(request.ip)}`)
    try {
      const begun = await openId.begin(returnTo ?? '/')
      return redirect(reply, begun.location, [...cookies, ...begun.cookies])
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return redirect(reply, authPage({ error: 'openid_unavailable', ...(returnTo === null ? {} : { returnTo }) }), cookies)
    }
  })

  app.get('/api/logout', async (request, reply) => {
    const cookies = isOwnNavigation(request, ctx.config) ? await logout(ctx, auth, request.headers.cookie) : []
    return redirect(reply, '/', cookies)
  })

  if (openId) {
    app.get(openIdCallbackPath, async (request, reply) => {
      await ctx.rateLimiter.consume('sign-in', `address:${addressGroup(request.ip)}`)
      const { cookie, 'user-agent': userAgent } = request.headers
      const browser = { cookie, userAgent }
      const connected = await finishConnecting(ctx, openId, request.url, browser)
      const { location, cookies } = connected ?? (await openId.finish(request.url, browser))
      return redirect(reply, location, cookies)
    })
  }
}

function authPage(query: Record<string, string>): string {
  const search = new URLSearchParams(query).toString()
  return search ? `/auth?${search}` : '/auth'
}

function redirect(reply: FastifyReply, location: string, cookies: string[] = []): FastifyReply {
  for (const cookie of cookies) reply.header('set-cookie', cookie)
  return reply.header('cache-control', 'no-store').redirect(location, 302)
}
