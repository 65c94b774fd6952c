import type { AccountType } from '#contracts/accounts.ts'
import { safeReturnTo } from '#contracts/addresses.ts'
import type { Brand } from '#contracts/brand.ts'
import { forget, recall, remember } from '#web/forms/tab-memory.ts'

const actions: Record<string, string> = {
  '/discover': 'see Discover',
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
  [/^\/people\/[^/]+$/, 'see this profile'],
  [/^\/communities\/[^/]+$/, 'see this community'],
  [/^\/pheno-hunt\/[^/]+$/, 'see this hunt'],
  [/^(\/communities)?\/invitations\/[^/]+$/, 'accept your invitation'],
]

/**
 * Completes "Sign in to …" for the path; null for home and for paths with nothing to say.
 * Depends only on the kind of path, so visitors can't learn whether the target exists.
 */
export function askedFor(returnTo: string): string | null {
  const path = pathOf(returnTo)
  return actions[path] ?? kinds.find(([pattern]) => pattern.test(path))?.[1] ?? null
}

const pathOf = (returnTo: string) => returnTo.replace(/[?#].*$/, '').replace(/(?<=.)\/$/, '')

/** Wording from the specification for pages that require sign-in. */
const refusals: Record<string, { title: string; text: string }> = {
  '/favorites': { title: 'Sign In Required', text: 'Please sign in to see your favorites.' },
  '/profile': { title: 'Profile Not Found', text: 'Please sign in to view your profile.' },
  '/settings': { title: 'Access Denied', text: 'Please sign in to access settings.' },
}

/** Why the page requires sign-in; null if the heading says enough. */
export const refusalAt = (returnTo: string): { title: string; text: string } | null => refusals[pathOf(returnTo)] ?? null

export function authHeading(tab: 'sign-in' | 'sign-up', returnTo: string, brand: Pick<Brand, 'name'>): string {
  const action = askedFor(returnTo)
  if (tab === 'sign-in') return `Sign in to ${action ?? brand.name}`
  return action ? `Join ${brand.name} to ${action}` : `Join ${brand.name}`
}

/** Whether the person came to run a business, so that signing up starts with a business account. */
export const isForBusiness = (returnTo: string): boolean => ['/business-dashboard', registerPath].includes(pathOf(returnTo))

const registerPath = '/business/register'

/** Whether "Register Your Business" led here: most who press it have no account yet. */
export const isRegistering = (returnTo: string): boolean => pathOf(returnTo) === registerPath

const askedForKey = 'asked-for'

/** The email address after # in an invitation's link; empty for other links. */
export function invitedAddress(returnTo: string): string {
  const [, address = ''] = /^\/invitations\/[\w-]+#(.+@.+|.+%40.+)$/.exec(returnTo) ?? []
  try {
    return decodeURIComponent(address)
  } catch {
    return ''
  }
}

/** New accounts complete a profile first; remember where they were headed. */
export function rememberAskedFor(returnTo: string): void {
  if (askedFor(returnTo)) remember(askedForKey, returnTo)
  else forget(askedForKey)
}

/** Returns the remembered path, or '/'. Clears it. */
export function takeAskedFor(): string {
  const path = safeReturnTo(recall(askedForKey)) ?? '/'
  forget(askedForKey)
  return path
}

const choiceKey = 'onboarding-choice'

/** Remembers the account type with which a person came to the sign-up form, so that onboarding continues with its form. */
export const rememberAccountType = (type: AccountType): void => remember(choiceKey, type)

/** Unvalidated: people can edit their browser's storage. */
export const chosenAccountType = (): unknown => recall(choiceKey)
