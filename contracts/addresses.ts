/** URLs shared by the server and the web app. Keep this file free of schemas: every first load includes it. */

/** Static text pages, public regardless of account status. */
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

export const calendarFilePath = (id: string) => `/api/events/${id}/calendar.ics`

export const phoneExtension = /[\s,;]*(?:#|x|ext(?:ension)?\.?)\s*(\d{1,6})$/i

/** "(303) 555-0100 ext. 12" → "tel:3035550100;ext=12" */
export function phoneLink(phone: string): string {
  const extension = phoneExtension.exec(phone)?.[1]
  const number = phone.replace(phoneExtension, '').replace(/[^\d+]/g, '')
  return extension ? `tel:${number};ext=${extension}` : `tel:${number}`
}

/** URL of the next page from a `Link` header; null on the last page. */
export function nextPage(link: string | null | undefined): string | null {
  return /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1] ?? null
}

const maxLength = 2000

/** Limits the decoding of nested encodings (`%252F`). Text that is still encoded after that is rejected. */
const maxDecodings = 5

/** Signing in must not redirect to a sign-out or another sign-in. */
const notPages = /^\/(?:api|auth|dev)(?:\/|$)/i

/**
 * The page on this site to return to after sign-in, or null if the value might lead elsewhere. Strict, because browsers resolve text like
 * `/\evil.example` and `/%09/evil.example` to other sites.
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

/** Requires one leading slash and rejects backslashes, control characters, lone surrogates and whitespace that browsers strip. */
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

/** Base64url, so the path is one opaque word in a link. */
export const packPath = (path: string): string => btoa(encodeURI(path)).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')

/** Undoes `packPath`. Null unless the path is on this site. */
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

/** Hosts of other sites among the URLs, which may be relative or contain `{x}` placeholders. */
export function outsideHosts(urls: readonly (string | null)[], ownOrigin: string): string[] {
  const hosts = urls.flatMap((url) => {
    if (!url) return []
    const { origin, host } = new URL(url, ownOrigin)
    return origin === ownOrigin ? [] : [host]
  })
  return [...new Set(hosts)]
}
