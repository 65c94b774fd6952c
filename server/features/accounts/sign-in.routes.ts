import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { safeReturnTo } from '#contracts/addresses.ts'
import * as contract from '#contracts/sign-in.endpoints.ts'
import type { SignInState } from '#contracts/sign-in.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { addressGroup } from '#server/kernel/client-address.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { isCrossSite, isOwnAddress } from '#server/kernel/own-origin.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { deleteSession, passkeysOf } from './accounts.queries.ts'
import type { Auth, ProgramAccess } from './auth.ts'
import { cancelEmailChange, confirmEmailChange, requestEmailChange, undoEmailChange } from './change-email.ts'
import { findPendingEmailChange } from './email-changes.queries.ts'
import { openIdCallbackPath } from './openid.ts'
import { beginOpenId, connectOpenId, disconnectOpenId, finishOpenId } from './openid-sign-in.ts'
import { addPasskey, beginPasskey, canHavePasskeys, ceremonyMs, removePasskey, renamePasskey, toPasskey } from './passkeys.ts'
import { changePassword, emailPasswordLink } from './passwords.ts'
import { createPersonKey, listPersonKeys, revokePersonKey } from './person-keys.ts'
import { findSignInMethods, isProven } from './proof.ts'
import { findProof, hasFactor } from './second-factor.queries.ts'
import { hashSessionToken } from './session-token.ts'
import { endOtherSessions, endSession, listSessions } from './sessions.ts'
import { beginPasskeySignIn, beginProof, reauthenticateWithPasskey, signInWithPasskey } from './sign-in.ts'

export function addSignIn(api: Api, auth: Auth, programs: readonly ProgramAccess[]): void {
  route(api, contract.getSignIn, ({ ctx, actor }) => getSignIn(ctx, actor))

  route(api, contract.changePassword, ({ ctx, actor, body }) => changePassword(ctx, auth, actor, body))
  route(api, contract.emailPasswordLink, ({ ctx, actor }) => emailPasswordLink(ctx, actor))

  route(api, contract.requestEmailChange, ({ ctx, actor, body }) => requestEmailChange(ctx, auth, actor, body))
  route(api, contract.cancelEmailChange, ({ ctx, actor }) => cancelEmailChange(ctx, actor))
  route(api, contract.confirmEmailChange, ({ ctx, body }) => confirmEmailChange(ctx, body.token))
  route(api, contract.undoEmailChange, ({ ctx, body }) => undoEmailChange(ctx, programs, body.token))

  route(api, contract.listSessions, ({ ctx, actor, query }) => listSessions(ctx, actor, query))
  route(api, contract.endSession, ({ ctx, actor, params }) => endSession(ctx, actor, params.id))
  route(api, contract.endOtherSessions, async ({ ctx, actor }) => ({ ended: await endOtherSessions(ctx, actor) }))

  route(api, contract.listPersonKeys, ({ ctx, actor, query }) => listPersonKeys(ctx, actor, query))
  route(api, contract.createPersonKey, ({ ctx, actor, body }) => createPersonKey(ctx, auth, actor, body))
  route(api, contract.revokePersonKey, ({ ctx, actor, params }) => revokePersonKey(ctx, actor, params.id))

  addPasskeys(api, auth)

  route(api, contract.connectOpenId, async ({ ctx, actor, body, reply }) => {
    const { location, cookies } = await connectOpenId(ctx, auth, actor, body.password)
    for (const each of cookies) reply.header('set-cookie', each)
    return { location }
  })
  route(api, contract.disconnectOpenId, ({ ctx, actor, body }) => disconnectOpenId(ctx, auth, actor, body.password))
}

function addPasskeys(api: Api, auth: Auth): void {
  const { config, brand } = api.ctx
  const bindingName = `${brand.slug}.passkey`
  const bindingCookie = (value: string, maxAge: number) =>
    stringifySetCookie({
      name: bindingName,
      value,
      maxAge,
      path: '/api/auth/passkey',
      httpOnly: true,
      sameSite: 'strict',
      secure: config.isHttps,
    })

  route(api, contract.beginPasskey, ({ ctx, actor, body }) => beginPasskey(ctx, auth, actor, body.password))
  route(api, contract.addPasskey, ({ ctx, actor, body }) => addPasskey(ctx, actor, body))
  route(api, contract.renamePasskey, ({ ctx, actor, params, body }) => renamePasskey(ctx, actor, params.id, body.name))
  route(api, contract.removePasskey, ({ ctx, actor, params, body }) => removePasskey(ctx, auth, actor, { ...params, ...body }))

  route(api, contract.beginProof, ({ ctx, actor }) => beginProof(ctx, actor))
  route(api, contract.prove, ({ ctx, actor, body }) => reauthenticateWithPasskey(ctx, actor, body.answer))

  route(api, contract.beginPasskeySignIn, async ({ ctx, reply }) => {
    const { options, binding } = await beginPasskeySignIn(ctx)
    reply.header('set-cookie', bindingCookie(binding, ceremonyMs / 1000))
    return options
  })
  route(api, contract.signInWithPasskey, async ({ ctx, body, request, reply }) => {
    const { cookie: header, 'user-agent': userAgent } = request.headers
    const binding = parseCookie(header ?? '')[bindingName]
    const previous = await ctx.sessions.read(header, { evenOwing: true })
    const { cookies, ...answer } = await signInWithPasskey(ctx, auth, body.answer, { binding, previous, cookie: header, userAgent })
    for (const cookie of [...cookies, bindingCookie('', 0)]) reply.header('set-cookie', cookie)
    return answer
  })
}

async function getSignIn({ db, config, clock }: Context, actor: Actor): Promise<SignInState> {
  const now = clock.now()
  const proof = await findProof(db, actor.id, actor.sessionId)
  if (!proof) throw new AppError('signed_out')
  const change = await findPendingEmailChange(db, actor.id, now)
  const { password, openId } = await findSignInMethods(db, config, actor.id)
  return {
    email: proof.email,
    emailChange: change
      ? { email: change.new_email, requestedAt: change.requested_at.toISOString(), expiresAt: change.expires_at.toISOString() }
      : null,
    hasPassword: password !== null,
    passwordChangedAt: password?.updated_at.toISOString() ?? null,
    isProven: isProven(proof, now),
    mustShowSecondFactor: actor.role !== actor.grantedRole,
    hasSecondFactor: await hasFactor(db, actor.id),
    canHavePasskeys: canHavePasskeys({ config }),
    passkeys: (await passkeysOf(db, actor.id)).map(toPasskey),
    openId: config.oidc ? { name: config.oidc.name, connectedAt: openId?.created_at.toISOString() ?? null } : null,
  }
}

/** Addresses that a browser navigates to, rather than API calls. The last one needs an OpenID provider. */
export const accountNavigations: readonly string[] = ['GET /api/login', 'GET /api/logout', `GET ${openIdCallbackPath}`]

export function addNavigations({ app, ctx }: Api, auth: Auth): void {
  const { openId } = auth

  app.get('/api/login', async (request, reply) => {
    const query = request.query as { returnTo?: unknown; switch?: unknown }
    const returnTo = safeReturnTo(query.returnTo)
    const cookies: string[] = []
    if (await ctx.sessions.read(request.headers.cookie)) {
      // Switching accounts ends the current session first.
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

/** @returns the `Set-Cookie` values that clear the session in the browser */
async function logout(ctx: Context, auth: Auth, cookieHeader: string | undefined): Promise<string[]> {
  const token = auth.cookie.read(cookieHeader)
  if (token !== null) await deleteSession(ctx.db, hashSessionToken(token))
  return auth.cookie.clear()
}

/**
 * Returns false for navigations started by another site and for requests by images and scripts, which must not sign anyone out.
 * Browsers that don't send `Sec-Fetch-*` (old ones, and all of them over plain HTTP) are checked by `Origin` or `Referer`, if sent.
 */
function isOwnNavigation(request: FastifyRequest, config: Context['config']): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, origin, referer } = request.headers
  if (site !== undefined) return !isCrossSite(request) && (mode === undefined || mode === 'navigate')
  const source = origin ?? referer
  return source === undefined || isOwnAddress(request, source, config)
}
