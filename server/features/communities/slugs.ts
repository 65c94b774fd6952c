import { randomBytes } from 'node:crypto'
import slugify from '@sindresorhus/slugify'
import { isUuid } from '../../../contracts/ids.ts'

const maxLength = 60

/** Taken by calls (`/api/communities/my`) and screens (`/communities/invitations/…`), or wanted by them one day. */
const reserved = new Set([
  ...['admin', 'categories', 'community', 'create', 'discover', 'feed', 'invitations', 'join', 'manage', 'moderation', 'my', 'new'],
  ...['notifications', 'posts', 'requests', 'search', 'settings', 'suggestions', 'tags'],
])

/** The name in plain ASCII, as a part of an address. */
export function communitySlugBase(name: string): string {
  const slug = slugify(name, { decamelize: false }).slice(0, maxLength).replace(/-$/, '')
  if (slug === '') return 'community'
  // An address is an id or a slug: one may not look like the other.
  return reserved.has(slug) || isUuid(slug) ? `${slug}-community` : slug
}

/**
 * The next address to try. The second of a name, and each private one, ends in letters that nobody can guess: a number that skips one
 * would tell whoever begins another of the same name that there is one.
 */
export const communitySlug = (base: string, isPlain: boolean): string => (isPlain ? base : `${base}-${randomBytes(4).toString('hex')}`)
