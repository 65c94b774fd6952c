import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { stringifySetCookie } from 'cookie'
import type { Brand } from '../../../contracts/brand.ts'
import type { Config } from '../../config.ts'

const day = 86_400_000

/** A session ends this long after it was last extended. */
export const sessionLifetimeMs = 30 * day
/** A session in use is extended, and its cookie sent again, at most this often. */
export const sessionRenewalMs = day

/** What the database holds in place of a session's token: who reads the table can sign in as nobody. */
export const hashSessionToken = (token: string): string => hash('sha256', token, 'base64url')

export type SessionCookie = {
  name: string
  /** The `Set-Cookie` value that signs a browser in. */
  set(token: string): string
  /** The `Set-Cookie` values that sign it out. */
  clear(): string[]
  /** The token of a request's `Cookie` header, or null when there is none that we signed. */
  read(cookieHeader: string | undefined): string | null
}

/** A base64 SHA-256 has 44 signs, the last of them `=`. */
const signatureLength = 44

/** By this prefix, browsers take a cookie only over HTTPS, only from this very host, and for all of its paths. */
export const cookiePrefix = (publicUrl: string): string => (publicUrl.startsWith('https:') ? '__Host-' : '')

/** The session's cookie in better-auth's form, `token.signature`, because better-auth sets it too (after an OpenID sign-in). */
export function createSessionCookie(config: Pick<Config, 'publicUrl' | 'sessionSecret'>, brand: Pick<Brand, 'slug'>): SessionCookie {
  const prefix = cookiePrefix(config.publicUrl)
  const isSecure = prefix !== ''
  const name = prefix + sessionCookieName(brand)
  const start = `${name}=`
  // What the cookie was called before. It is replaced when the session is extended, and lasts 30 days otherwise.
  const oldName = `__Secure-${sessionCookieName(brand)}`
  const write = (value: string, maxAge: number, written = name) =>
    stringifySetCookie(
      { name: written, value, maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure },
      { encode: encodeURIComponent },
    )
  const sign = (token: string) => createHmac('sha256', config.sessionSecret).update(token).digest('base64')

  return {
    name,
    set: (token) => write(`${token}.${sign(token)}`, sessionLifetimeMs / 1000),
    clear: () => [write('', 0), ...(isSecure ? [write('', 0, oldName)] : [])],
    read(cookieHeader) {
      const signed = cookieValue(cookieHeader, start) ?? (isSecure ? cookieValue(cookieHeader, `${oldName}=`) : null)
      const dot = signed ? signed.length - signatureLength - 1 : -1
      if (!signed || dot < 1 || signed[dot] !== '.') return null
      const token = signed.slice(0, dot)
      const isOurs = timingSafeEqual(Buffer.from(sign(token)), Buffer.from(signed.slice(dot + 1).padEnd(signatureLength), 'latin1'))
      return isOurs ? token : null
    },
  }
}

export const sessionCookieName = (brand: Pick<Brand, 'slug'>): string => `${brand.slug}.session_token`

/** The decoded value of one cookie. Written by hand because it runs on every request: nothing else is parsed. */
function cookieValue(cookieHeader: string | undefined, start: string): string | null {
  if (!cookieHeader) return null
  let at = cookieHeader.indexOf(start)
  // Only at the start of a pair: `x-name=` contains `name=` too.
  while (at > 0 && cookieHeader[at - 1] !== ' ' && cookieHeader[at - 1] !== ';') at = cookieHeader.indexOf(start, at + 1)
  if (at < 0) return null
  const end = cookieHeader.indexOf(';', at)
  const value = cookieHeader.slice(at + start.length, end < 0 ? undefined : end)
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
