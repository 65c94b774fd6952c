import type { FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { isCrossSite, isOwnAddress } from '../../kernel/own-origin.ts'
import { deleteSession } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { hashSessionToken } from './session-token.ts'

/** Ends the session in the database. The answer is the `Set-Cookie` values that take it out of the browser. */
export async function logout(ctx: Context, auth: Auth, cookieHeader: string | undefined): Promise<string[]> {
  const token = auth.cookie.read(cookieHeader)
  if (token !== null) await deleteSession(ctx.db, hashSessionToken(token))
  return auth.cookie.clear()
}

/**
 * Did a person ask for this, and not another site, nor a picture or a frame in one of our pages?
 * Browsers that do not send `Sec-Fetch-*` (old ones, and all over plain HTTP) say where they come from in `Origin` or
 * `Referer`.
 */
export function isOwnNavigation(request: FastifyRequest, config: Context['config']): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, origin, referer } = request.headers
  if (site !== undefined) return !isCrossSite(request) && (mode === undefined || mode === 'navigate')
  const source = origin ?? referer
  return source === undefined || isOwnAddress(request, source, config)
}
