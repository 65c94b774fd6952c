import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto'
import { stringifySetCookie } from 'cookie'
import { LRUCache } from 'lru-cache'
import type { Brand } from '#contracts/brand.ts'
import { dayMs } from '#contracts/time.ts'
import type { Config } from '#server/config.ts'

/** Session lifetime since the last renewal, in ms. */
export const sessionLifetimeMs = 30 * dayMs
/** An active session and its cookie are renewed at most this often, in ms. */
export const sessionRenewalMs = dayMs

/** How many tokens' hashes and verified signatures are cached, so that they aren't computed for every request. */
const maxRemembered = 10_000

const hashes = new LRUCache<string, string>({ max: maxRemembered, memoMethod: (token) => hash('sha256', token, 'base64url') })

/** The database stores this instead of a session's token, so that a leaked table can't be used to sign in. */
export const hashSessionToken = (token: string): string => hashes.memo(token)

export type SessionCookie = {
  name: string
  set(token: string): string
  clear(): string[]
  /** Null if the header contains no correctly signed token. */
  read(cookieHeader: string | undefined): string | null
}

/** A base64 SHA-256 has 44 characters, the last of them `=`. */
const signatureLength = 44

/** Browsers accept a `__Host-` cookie only over HTTPS, only from this exact host, and for all of its paths. */
export const cookiePrefix = ({ isHttps }: Pick<Config, 'isHttps'>): string => (isHttps ? '__Host-' : '')

/** The cookie's value is `token.signature`. */
export function createSessionCookie(config: Pick<Config, 'isHttps' | 'sessionSecret'>, brand: Pick<Brand, 'slug'>): SessionCookie {
  const name = cookiePrefix(config) + sessionCookieName(brand)
  const start = `${name}=`
  // The cookie's former name. A renewal sets the current one; a cookie with the former name expires 30 days after it was set.
  const oldName = `__Secure-${sessionCookieName(brand)}`
  const write = (value: string, maxAge: number, written = name) =>
    stringifySetCookie(
      { name: written, value, maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure: config.isHttps },
      { encode: encodeURIComponent },
    )
  const key = createSecretKey(config.sessionSecret, 'utf8')
  const sign = (token: string) => createHmac('sha256', key).update(token).digest('base64')
  /** Tokens by the cookie values that contained them with a valid signature. */
  const tokens = new LRUCache<string, string>({ max: maxRemembered })

  function verify(signed: string): string | null {
    const dot = signed.length - signatureLength - 1
    if (dot < 1 || signed[dot] !== '.') return null
    const token = signed.slice(0, dot)
    const isOurs = timingSafeEqual(Buffer.from(sign(token)), Buffer.from(signed.slice(dot + 1).padEnd(signatureLength), 'latin1'))
    return isOurs ? token : null
  }

  return {
    name,
    set: (token) => write(`${token}.${sign(token)}`, sessionLifetimeMs / 1000),
    clear: () => [write('', 0), ...(config.isHttps ? [write('', 0, oldName)] : [])],
    read(cookieHeader) {
      const value = cookieValue(cookieHeader, start) ?? (config.isHttps ? cookieValue(cookieHeader, `${oldName}=`) : null)
      if (value === null) return null
      const known = tokens.get(value)
      if (known !== undefined) return known
      const token = verify(decoded(value))
      // A copy, because a slice keeps the whole header in memory.
      if (token !== null) tokens.set(Buffer.from(value, 'latin1').toString('latin1'), token)
      return token
    },
  }
}

const sessionCookieName = (brand: Pick<Brand, 'slug'>): string => `${brand.slug}.session_token`

/** The cookie's encoded value, or null if it is missing or empty. Runs on every request, so it parses no other cookie. */
function cookieValue(cookieHeader: string | undefined, start: string): string | null {
  if (!cookieHeader) return null
  let at = cookieHeader.indexOf(start)
  // Match only at the start of a pair: `x-name=` contains `name=` too.
  while (at > 0 && cookieHeader[at - 1] !== ' ' && cookieHeader[at - 1] !== ';') at = cookieHeader.indexOf(start, at + 1)
  if (at < 0) return null
  const end = cookieHeader.indexOf(';', at)
  return cookieHeader.slice(at + start.length, end < 0 ? undefined : end) || null
}

/** Empty if the encoding is invalid. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
