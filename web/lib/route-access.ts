import type { CurrentUser } from '../../contracts/accounts.ts'

/** What is shown at a path: the page of the route, or one of the screens that stand in for it. */
export type Screen = 'page' | 'onboarding' | 'auth' | 'home'

/** Shown to everybody in every state. */
const publicPages = new Set([
  '/help',
  '/guidelines',
  '/resources',
  '/contact',
  '/privacy',
  '/terms',
  '/data',
  '/business/register',
  '/auth/reset',
  '/auth/verify',
])

/** For visitors only; somebody signed in is at home instead. */
const visitorPages = new Set(['/auth', '/auth/forgot', '/signup', '/landing'])

/** The route table of the specification: which screen a person meets at a path. */
export function screenAt(
  path: string,
  user: Pick<CurrentUser, 'hasCompletedOnboarding'> | null,
  settings: { brandSlug: string; isProduction: boolean },
): Screen {
  if (publicPages.has(path) || path.startsWith('/taste/') || (path.startsWith('/dev/') && !settings.isProduction)) return 'page'
  if (user) {
    if (!user.hasCompletedOnboarding) return 'onboarding'
    return visitorPages.has(path) ? 'home' : 'page'
  }
  if (path === '/') return 'onboarding'
  return visitorPages.has(path) || path === `/${settings.brandSlug}` ? 'page' : 'auth'
}
