import type { CurrentUser } from '#contracts/accounts.ts'
import { textPages } from '#contracts/addresses.ts'

/** What a path shows: the page of its route, or a screen in its place. */
export type Screen = 'page' | 'onboarding' | 'auth' | 'home' | 'standing' | 'second-factor'

/** Always shown, whatever the state of the account. */
const publicPages = new Set([...textPages, '/moderation-log', '/business/register', '/auth/reset', '/auth/verify'])

/** Only for visitors; signed-in people are redirected to the home page. */
const visitorPages = new Set(['/auth', '/auth/forgot', '/signup', '/landing'])

export const isSuspended = ({ suspendedUntil }: Pick<CurrentUser, 'suspendedUntil'>, now: number): boolean =>
  suspendedUntil !== null && (suspendedUntil === 'forever' || Date.parse(suspendedUntil) > now)

/** The specification's route table: the screen shown at a path. `now` is in milliseconds. */
export function screenAt(
  path: string,
  user: (Pick<CurrentUser, 'hasCompletedOnboarding' | 'suspendedUntil' | 'secondFactor'> & Partial<Pick<CurrentUser, 'leavesAt'>>) | null,
  settings: { brandSlug: string; isProduction: boolean; now: number },
): Screen {
  const isPublic = publicPages.has(path) || path.startsWith('/taste/') || (path.startsWith('/dev/') && !settings.isProduction)
  // Suspended and leaving people, and those who owe the second factor, can still see public pages and sign out.
  const isLeft = isPublic ? path !== '/business/register' : path === '/sign-out'
  if (user && !isLeft && user.secondFactor === 'owed') return 'second-factor'
  if (user && !isLeft && (user.leavesAt || isSuspended(user, settings.now))) return 'standing'
  if (isPublic) return 'page'
  if (user) {
    if (!user.hasCompletedOnboarding) return 'onboarding'
    return visitorPages.has(path) ? 'home' : 'page'
  }
  if (path === '/') return 'onboarding'
  return visitorPages.has(path) || path === `/${settings.brandSlug}` ? 'page' : 'auth'
}

// Handled by the server, so these are plain links.
export const signInUrl = '/api/login'
export const signOutUrl = '/api/logout'
