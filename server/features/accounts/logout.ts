import type { FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { isCrossSite } from '../../kernel/own-origin.ts'
import { deleteSession } from './accounts.queries.ts'
import type { Auth } from './auth.ts'
import { hashSessionToken } from './session-token.ts'

/** Ends the session in the database. The answer is the `Set-Cookie` value that takes it out of the browser. */
export async function logout(ctx: Context, auth: Auth, cookieHeader: string | undefined): Promise<string> {
  const token = auth.cookie.read(cookieHeader)
  if (token !== null) await deleteSession(ctx.db, hashSessionToken(token))
  return auth.cookie.clear()
}

/**
 * Did a person ask for this, and not another site, nor a picture or a frame in one of our pages?
 * Browsers that do not send `Sec-Fetch-*` (old ones, and all over plain HTTP) say where they come from in `Origin` or
 * `Referer`.
 */
export function isOwnNavigation(request: FastifyRequest, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, origin, referer, host } = request.headers
  if (site !== undefined) return !isCrossSite(request) && (mode === undefined || mode === 'navigate')
  const source = origin ?? referer
  if (source === undefined) return true
  return URL.canParse(source) && [new URL(publicUrl).host, host].includes(new URL(source).host)
}
