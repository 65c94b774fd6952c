import type { CurrentUser } from '#contracts/accounts.ts'
import { textPages } from '#contracts/addresses.ts'

/** A route's page, or a screen that replaces it. */
export type Screen = 'page' | 'onboarding' | 'auth' | 'home' | 'standing' | 'second-factor'

/** Visitors and people who haven't completed onboarding can see these, too. */
const publicPages = new Set([...textPages, '/moderation-log', '/business/register', '/auth/reset', '/auth/verify'])

/** Signed-in people are redirected from these to the home page. */
const visitorPages = new Set(['/auth', '/auth/forgot', '/signup', '/landing'])

export const isSuspended = ({ suspendedUntil }: Pick<CurrentUser, 'suspendedUntil'>, now: number): boolean =>
  suspendedUntil !== null && (suspendedUntil === 'forever' || Date.parse(suspendedUntil) > now)

/** The specification's route table. `now` is in milliseconds. */
export function screenAt(
  path: string,
  user: (Pick<CurrentUser, 'hasCompletedOnboarding' | 'suspendedUntil' | 'secondFactor'> & Partial<Pick<CurrentUser, 'leavesAt'>>) | null,
  settings: { brandSlug: string; isProduction: boolean; now: number },
): Screen {
  const isPublic = publicPages.has(path) || path.startsWith('/taste/') || (path.startsWith('/dev/') && !settings.isProduction)
  // Accounts that are suspended, pending deletion or without a required second factor can still sign out and see public pages other than
  // the registration wizard.
  const isAlwaysAllowed = isPublic ? path !== '/business/register' : path === '/sign-out'
  if (user && !isAlwaysAllowed && user.secondFactor === 'owed') return 'second-factor'
  if (user && !isAlwaysAllowed && (user.leavesAt || isSuspended(user, settings.now))) return 'standing'
  if (isPublic) return 'page'
  if (user) {
    if (!user.hasCompletedOnboarding) return 'onboarding'
    return visitorPages.has(path) ? 'home' : 'page'
  }
  if (path === '/') return 'onboarding'
  return visitorPages.has(path) || path === `/${settings.brandSlug}` ? 'page' : 'auth'
}

// Use plain links for these, because the server handles them.
export const signInUrl = '/api/login'
export const signOutUrl = '/api/logout'
