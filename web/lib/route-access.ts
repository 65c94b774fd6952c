import type { CurrentUser } from '../../contracts/accounts.ts'
import { textPages } from '../../contracts/text-pages.ts'

/** What is shown at a path: the page of the route, or one of the screens that stand in for it. */
export type Screen = 'page' | 'onboarding' | 'auth' | 'home' | 'standing' | 'second-factor'

/** Shown to everybody in every state. */
const publicPages = new Set([...textPages, '/moderation-log', '/business/register', '/auth/reset', '/auth/verify'])

/** For visitors only; somebody signed in is at home instead. */
const visitorPages = new Set(['/auth', '/auth/forgot', '/signup', '/landing'])

/** Whether an account is suspended at a moment: until a time that has not come, or for good. */
export const isSuspended = ({ suspendedUntil }: Pick<CurrentUser, 'suspendedUntil'>, now: number): boolean =>
  suspendedUntil !== null && (suspendedUntil === 'forever' || Date.parse(suspendedUntil) > now)

/** The route table of the specification: which screen a person meets at a path. `now` is in milliseconds. */
export function screenAt(
  path: string,
  user: (Pick<CurrentUser, 'hasCompletedOnboarding' | 'suspendedUntil' | 'secondFactor'> & Partial<Pick<CurrentUser, 'leavesAt'>>) | null,
  settings: { brandSlug: string; isProduction: boolean; now: number },
): Screen {
  const isPublic = publicPages.has(path) || path.startsWith('/taste/') || (path.startsWith('/dev/') && !settings.isProduction)
  // Whoever is suspended, about to leave, or owes the second factor, keeps what everybody may read, and the way out.
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
