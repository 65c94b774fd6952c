import type { FastifyReply, FastifyRequest } from 'fastify'
import { safeReturnTo } from '#contracts/addresses.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { addressGroup } from '#server/kernel/client-address.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isCrossSite, isOwnAddress } from '#server/kernel/own-origin.ts'
import type { Api } from '#server/kernel/route.ts'
import { deleteSession, openIdProvider } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { hashOf, storeValue, takeValue } from './one-use-secrets.ts'
import { type OpenId, openIdCallbackPath, type Redirect } from './openid.ts'
import { requireProof, requireRoleShown } from './proof.ts'
import { hashSessionToken } from './session-token.ts'
import { sendSignInNotice } from './sign-in-news.ts'
import { lockAccount, requireWayIn, waysIn } from './ways-in.ts'

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

const quarterOfAnHour = 900_000

/** Keyed by the state that the provider sends back. Outlives better-auth's own state, so that a valid callback always finds it. */
const nameOf = (state: string) => `openid-connect:${hashOf(state)}`

function requireProvider({ openId }: Auth): OpenId {
  if (!openId) throw new AppError('conflict', { message: 'This site has no provider to connect an account from.' })
  return openId
}

/**
 * Returns the URL at which to connect a provider account. Only the session that started may finish.
 * @throws AppError second_factor_required, anything `requireProof` throws, conflict (already connected, or no provider), unavailable
 */
export async function connectOpenId(
  ctx: Context,
  auth: Auth,
  actor: Actor,
  { password, cookie }: { password: string; cookie: string | undefined },
): Promise<Redirect> {
  requireRoleShown(actor)
  const openId = requireProvider(auth)
  await requireProof(ctx, auth, actor, password)
  if ((await waysIn(ctx.db, ctx.config, actor.id)).openId)
    throw new AppError('conflict', { message: 'An account is already connected. Disconnect it first.' })
  const redirect = await openId.beginConnecting(cookie)
  const state = new URL(redirect.location).searchParams.get('state') ?? ''
  await storeValue(ctx.db, { identifier: nameOf(state), value: actor.sessionId, lifetimeMs: quarterOfAnHour }, ctx.clock.now())
  return redirect
}

const settings = (outcome: string) => `/settings?${new URLSearchParams({ openid: outcome })}#sign-in`

/**
 * Handles the provider's callback. Returns null for a sign-in; otherwise redirects to the settings with the outcome in the URL.
 */
async function finishConnecting(
  ctx: Context,
  openId: OpenId,
  url: string,
  { cookie, userAgent }: { cookie: string | undefined; userAgent: string | undefined },
): Promise<Redirect | null> {
  const state = new URL(url, ctx.config.publicUrl).searchParams.get('state')
  const sessionId = state === null ? null : await takeValue(ctx.db, nameOf(state), ctx.clock.now())
  if (sessionId === null) return null
  const session = await ctx.sessions.read(cookie)
  if (session?.actor.sessionId !== sessionId) return { location: settings('another_session'), cookies: [] }
  const { location, cookies } = await openId.finish(url, { cookie, userAgent })
  const error = new URL(location, ctx.config.publicUrl).searchParams.get('error')
  if (error !== null) return { location: settings(error), cookies }
  await inTransaction(ctx.db, (tx) => sendSignInNotice(ctx, tx, session.actor.id, 'openid-connected'))
  return { location: settings('connected'), cookies }
}

/** @throws AppError second_factor_required, anything `requireProof` throws, conflict (the last sign-in method) */
export async function disconnectOpenId(ctx: Context, auth: Auth, actor: Actor, password: string): Promise<void> {
  requireRoleShown(actor)
  requireProvider(auth)
  await requireProof(ctx, auth, actor, password)
  await inTransaction(ctx.db, async (tx) => {
    await lockAccount(tx, actor.id)
    const { numDeletedRows } = await tx
      .deleteFrom('credentials')
      .where('user_id', '=', actor.id)
      .where('provider_id', '=', openIdProvider)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return
    await requireWayIn(tx, ctx.config, actor.id)
    await sendSignInNotice(ctx, tx, actor.id, 'openid-disconnected')
  })
}
