/** Addresses that the server and the web app read. Contains no schemas, because routing needs this file in every first load. */

/** Static text pages, which are always public, whatever the state of the account. */
export const textPages: readonly string[] = [
  '/help',
  '/guidelines',
  '/rules',
  '/resources',
  '/contact',
  '/privacy',
  '/terms',
  '/data',
  '/accessibility',
]

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const isUuid = (text: string): boolean => uuidPattern.test(text)

/** The calendar file (RFC 5545) of an event whose details the viewer may see. */
export const calendarFilePath = (id: string) => `/api/events/${id}/calendar.ics`

/** URL of the next page from a `Link` header; null on the last page. */
export function nextPage(link: string | null | undefined): string | null {
  return /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1] ?? null
}

const maxLength = 2000

/** Nested encodings (`%252F`) are decoded up to this many times; text still encoded then is rejected. */
const maxDecodings = 5

/** Paths that aren't pages: signing in must not lead to a sign-out or another sign-in. */
const notPages = /^\/(?:api|auth|dev)(?:\/|$)/i

/**
 * The page on this site to return to after signing in, or null if the value isn't plainly one. Deliberately strict, because browsers
 * normalize path-like text (`/\evil.example`, `/%09/evil.example`) into other sites.
 */
export function safeReturnTo(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > maxLength || !isPage(value)) return null
  // Only the path decides the destination; a query may contain any character.
  let path = value.replace(/[?#].*$/s, '')
  for (let times = 0; times < maxDecodings; times++) {
    const decoded = decode(path)
    if (decoded === null || !isPage(decoded)) return null
    if (decoded === path) return value
    path = decoded
  }
  return null
}

/** One leading slash, and no backslash, control character, broken character or whitespace that a browser would strip. */
function isPage(text: string): boolean {
  if (!text.startsWith('/') || text.startsWith('//')) return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this looks for them
  if (/[\\\u0000-\u001f\u007f-\u00a0\u2028\u2029\ufeff\p{Surrogate}]/u.test(text)) return false
  const base = 'https://here.invalid'
  if (!URL.canParse(text, base)) return false
  // Browsers resolve dot segments: `/.//evil.example` becomes `//evil.example`, `/a/../api` becomes `/api`.
  const { origin, pathname } = new URL(text, base)
  return origin === base && !pathname.startsWith('//') && !notPages.test(pathname)
}

/** A path as one opaque word of a link. */
export const packPath = (path: string): string => btoa(encodeURI(path)).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')

/** The page in a link, if it is plainly one of this site. */
export function unpackPath(word: string | undefined): string | null {
  try {
    return safeReturnTo(decodeURI(atob((word ?? '').replaceAll('-', '+').replaceAll('_', '/'))))
  } catch {
    return null
  }
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
