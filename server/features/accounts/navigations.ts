import type { FastifyReply, FastifyRequest } from 'fastify'
import { safeReturnTo } from '#contracts/addresses.ts'
import { addressGroup } from '#server/kernel/client-address.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isCrossSite, isOwnAddress } from '#server/kernel/own-origin.ts'
import type { Api } from '#server/kernel/route.ts'
import { deleteSession } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { openIdCallbackPath } from './openid.ts'
import { beginOpenId, finishOpenId } from './openid-sign-in.ts'
import { hashSessionToken } from './session-token.ts'

/** Addresses that a browser navigates to, rather than API calls. The last one needs an OpenID provider. */
export const accountNavigations: readonly string[] = ['GET /api/login', 'GET /api/logout', `GET ${openIdCallbackPath}`]

export function addNavigations({ app, ctx }: Api, auth: Auth): void {
  const { openId } = auth

  app.get('/api/login', async (request, reply) => {
    const query = request.query as { returnTo?: unknown; switch?: unknown }
    const returnTo = safeReturnTo(query.returnTo)
    const cookies: string[] = []
    if (await ctx.sessions.read(request.headers.cookie)) {
      // To switch accounts, sign out first.
      if (query.switch === undefined || !isOwnNavigation(request, ctx.config)) return redirect(reply, returnTo ?? '/')
      cookies.push(...(await logout(ctx, auth, request.headers.cookie)))
    }
    if (!openId) return redirect(reply, authPage(returnTo === null ? {} : { returnTo }), cookies)
    await ctx.rateLimiter.consume('sign-in', `address:${addressGroup(request.ip)}`)
    try {
      const begun = await beginOpenId(ctx, openId, { returnTo: returnTo ?? '/' })
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
      const { location, cookies } = await finishOpenId(ctx, auth, openId, request.url, { cookie, userAgent })
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

/** Deletes the session and returns the `Set-Cookie` values that clear it in the browser. */
async function logout(ctx: Context, auth: Auth, cookieHeader: string | undefined): Promise<string[]> {
  const token = auth.cookie.read(cookieHeader)
  if (token !== null) await deleteSession(ctx.db, hashSessionToken(token))
  return auth.cookie.clear()
}

/**
 * Returns true only for a navigation started by a person on our own pages, not by another site, an image or a frame.
 * Browsers that don't send `Sec-Fetch-*` (old ones, and all of them over plain HTTP) are checked by `Origin` or `Referer`.
 */
function isOwnNavigation(request: FastifyRequest, config: Context['config']): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, origin, referer } = request.headers
  if (site !== undefined) return !isCrossSite(request) && (mode === undefined || mode === 'navigate')
  const source = origin ?? referer
  return source === undefined || isOwnAddress(request, source, config)
}
