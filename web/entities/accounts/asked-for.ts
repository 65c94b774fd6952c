import type { AccountType } from '#contracts/accounts.ts'
import { safeReturnTo } from '#contracts/addresses.ts'
import type { Brand } from '#contracts/brand.ts'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'

const actions: Record<string, string> = {
  '/discover': 'see Discover',
  '/products': 'compare products near you',
  '/events': 'find events near you',
  '/favorites': 'see your favorites',
  '/messages': 'see your messages',
  '/notifications': 'see your notifications',
  '/profile': 'see your profile',
  '/settings': 'see your settings',
  '/business-dashboard': 'see your business dashboard',
  '/business/register': 'register your business',
  '/communities': 'see Communities',
  '/pheno-hunt': 'see Pheno Hunter Pro',
  '/create-post': 'write a post',
  '/search': 'see the search results',
}

const kinds: [RegExp, string][] = [
  [/^\/business\/[^/]+$/, 'see this business'],
  [/^\/post\/[^/]+$/, 'see this post'],
  [/^\/product\/[^/]+$/, 'see this menu item'],
  [/^\/events\/[^/]+$/, 'see this event'],
  [/^\/people\/[^/]+$/, 'see this profile'],
  [/^\/communities\/[^/]+$/, 'see this community'],
  [/^\/pheno-hunt\/[^/]+$/, 'see this hunt'],
  [/^(\/communities)?\/invitations\/[^/]+$/, 'accept your invitation'],
]

/**
 * Completes "Sign in to …"; null for home and unlisted paths. Ignores everything but the kind of path, so visitors can't learn whether its
 * target exists.
 */
export function signInPurpose(returnTo: string): string | null {
  const path = pathOf(returnTo)
  return actions[path] ?? kinds.find(([pattern]) => pattern.test(path))?.[1] ?? null
}

const pathOf = (returnTo: string) => returnTo.replace(/[?#].*$/, '').replace(/(?<=.)\/$/, '')

const refusals: Record<string, { title: string; text: string }> = {
  '/favorites': { title: 'Sign In Required', text: 'Please sign in to see your favorites.' },
  '/profile': { title: 'Profile Not Found', text: 'Please sign in to view your profile.' },
  '/settings': { title: 'Access Denied', text: 'Please sign in to access settings.' },
}

export const refusalAt = (returnTo: string): { title: string; text: string } | null => refusals[pathOf(returnTo)] ?? null

export function authHeading(tab: 'sign-in' | 'sign-up', returnTo: string, brand: Pick<Brand, 'name'>): string {
  const action = signInPurpose(returnTo)
  if (tab === 'sign-in') return `Sign in to ${action ?? brand.name}`
  return action ? `Join ${brand.name} to ${action}` : `Join ${brand.name}`
}

/** Decides whether sign-up preselects a business account. */
export const isForBusiness = (returnTo: string): boolean => ['/business-dashboard', registerPath].includes(pathOf(returnTo))

/** Decides whether the sign-in form suggests the public list of shops. */
export const isSearchPath = (returnTo: string): boolean => ['/discover', '/products', '/search'].includes(pathOf(returnTo))

const registerPath = '/business/register'

export const isRegistering = (returnTo: string): boolean => pathOf(returnTo) === registerPath

const askedForKey = 'asked-for'

/** Invitation links have the invited address after #. Empty for other links. */
export function invitedAddress(returnTo: string): string {
  const [, address = ''] = /^\/invitations\/[\w-]+#(.+@.+|.+%40.+)$/.exec(returnTo) ?? []
  try {
    return decodeURIComponent(address)
  } catch {
    return ''
  }
}

export function saveReturnTo(returnTo: string): void {
  if (returnTo !== '/') setTabItem(askedForKey, returnTo)
  else removeTabItem(askedForKey)
}

/** Returns the stored address and removes it from storage. Defaults to '/'. */
export function consumeReturnTo(): string {
  const path = safeReturnTo(getTabItem(askedForKey)) ?? '/'
  removeTabItem(askedForKey)
  return path
}

const choiceKey = 'onboarding-choice'

export const rememberAccountType = (type: AccountType): void => setTabItem(choiceKey, type)

/** People can edit their browser's storage, so validate this. */
export const chosenAccountType = (): unknown => getTabItem(choiceKey)

const leavingKey = 'leaves-at'

export const saveDeletionDate = (leavesAt: string): void => setTabItem(leavingKey, leavesAt)

/** Null unless someone requested deletion in this tab. */
export function deletionDate(): Date | null {
  const at = getTabItem(leavingKey)
  const date = new Date(typeof at === 'string' ? at : Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date
}

export const clearDeletionDate = (): void => removeTabItem(leavingKey)
