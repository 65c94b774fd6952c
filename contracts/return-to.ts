const maxLength = 2000

/** Nested encodings (`%252F`) are unwrapped this often; what is still encoded then is refused. */
const maxDecodings = 5

/** Addresses that are not pages: a sign-in must not end in a sign-out, nor begin again. */
const notPages = /^\/(?:api|auth|dev)(?:\/|$)/i

/**
 * The page of this site to which a sign-in leads back, or null for anything that is not plainly one.
 * Strict on purpose: browsers repair what looks like a path (`/\evil.example`, `/%09/evil.example`) into other sites.
 */
export function safeReturnTo(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > maxLength || !isPage(value)) return null
  // Only the path decides where a browser goes; a search text may hold any sign.
  let path = value.replace(/[?#].*$/s, '')
  for (let times = 0; times < maxDecodings; times++) {
    const decoded = decode(path)
    if (decoded === null || !isPage(decoded)) return null
    if (decoded === path) return value
    path = decoded
  }
  return null
}

/** One slash at the start, and nowhere a backslash, a control character or a blank that a browser would drop. */
function isPage(text: string): boolean {
  if (!text.startsWith('/') || text.startsWith('//')) return false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\\\u0000-\u001f\u007f-\u00a0\u2028\u2029\ufeff]/.test(text)) return false
  const base = 'https://here.invalid'
  if (!URL.canParse(text, base)) return false
  // Dot segments are folded away by browsers: `/.//evil.example` becomes `//evil.example`, `/a/../api` becomes `/api`.
  const { origin, pathname } = new URL(text, base)
  return origin === base && !pathname.startsWith('//') && !notPages.test(pathname)
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
