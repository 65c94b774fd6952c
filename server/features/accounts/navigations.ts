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
    const returnTo = safeReturnTo((request.query as { returnTo?: unknown }).returnTo)
    if (await ctx.sessions.read(request.headers.cookie)) return redirect(reply, returnTo ?? '/')
    if (!openId) return redirect(reply, authPage(returnTo === null ? {} : { returnTo }))
    await ctx.rateLimiter.consume('sign-in', `address:${addressGroup(request.ip)}`)
    try {
      const { location, cookies } = await openId.begin(returnTo ?? '/')
      return redirect(reply, location, cookies)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return redirect(reply, authPage({ error: 'openid_unavailable', ...(returnTo === null ? {} : { returnTo }) }))
    }
  })

  app.get('/api/logout', async (request, reply) => {
    const cookies = isOwnNavigation(request, ctx.config.publicUrl) ? [await logout(ctx, auth, request.headers.cookie)] : []
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
