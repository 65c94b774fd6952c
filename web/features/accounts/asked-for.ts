import type { Brand } from '../../../contracts/brand.ts'
import { safeReturnTo } from '../../lib/route-access.ts'
import { forget, recall, remember } from './tab-memory.ts'

const names: Record<string, string> = {
  '/discover': 'Discover',
  '/favorites': 'your favorites',
  '/messages': 'your messages',
  '/notifications': 'your notifications',
  '/profile': 'your profile',
  '/settings': 'your settings',
  '/business-dashboard': 'your business dashboard',
  '/communities': 'Communities',
  '/pheno-hunt': 'Pheno Hunter Pro',
  '/create-post': 'the post editor',
  '/search': 'the search results',
}

const kinds: [RegExp, string][] = [
  [/^\/business\/[^/]+$/, 'this business'],
  [/^\/post\/[^/]+$/, 'this post'],
  [/^\/people\/[^/]+$/, 'this profile'],
  [/^\/communities\/[^/]+$/, 'this community'],
  [/^\/pheno-hunt\/[^/]+$/, 'this hunt'],
]

/**
 * What stands at a path of this site, as it fits after "Sign in to see"; null for home and for paths that tell nothing.
 * By the kind of path alone: a person who is signed out is not told whether the thing exists.
 */
export function askedFor(returnTo: string): string | null {
  const path = returnTo.replace(/[?#].*$/, '').replace(/(?<=.)\/$/, '')
  return names[path] ?? kinds.find(([pattern]) => pattern.test(path))?.[1] ?? null
}

export function authHeading(tab: 'sign-in' | 'sign-up', returnTo: string, brand: Pick<Brand, 'name'>): string {
  const thing = askedFor(returnTo)
  if (tab === 'sign-in') return thing ? `Sign in to see ${thing}` : `Sign in to ${brand.name}`
  return thing ? `Join ${brand.name} to see ${thing}` : `Join ${brand.name}`
}

const askedForKey = 'asked-for'

/** Somebody new is asked for a profile before they see anything: remember where they wanted to go. */
export function rememberAskedFor(returnTo: string): void {
  if (askedFor(returnTo)) remember(askedForKey, returnTo)
  else forget(askedForKey)
}

/** Where to go now that nothing stands in the way; '/' unless something was asked for. Answers once. */
export function takeAskedFor(): string {
  const path = safeReturnTo(recall(askedForKey))
  forget(askedForKey)
  return path
}
