// Constant or rarely rendered: React Compiler's memo code would only grow the initial bundle.
'use no memo'

import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { safeReturnTo } from '#contracts/return-to.ts'
import { boot, brand } from '#web/lib/boot.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { type Screen, screenAt } from '#web/lib/route-access.ts'
import { TakeOver } from '#web/lib/take-over.ts'
import { AppFrame, type FrameHeader, loadLandingHeader, loadMemberFrame } from '#web/screens/layout/app-frame.tsx'
import { FramelessError } from '#web/screens/layout/screen-error.tsx'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { NotFoundScreen } from '#web/ui/not-found-screen.tsx'

type AuthScreen = typeof import('#web/screens/sign-in/auth-screen.tsx')['default']
let loadedAuth: AuthScreen | null = null
const loadAuth = async () => {
  const { default: screen } = await import('#web/screens/sign-in/auth-screen.tsx')
  loadedAuth = screen
  return { default: screen }
}
const LazyAuthScreen = lazy(loadAuth)
const OnboardingScreen = lazy(() => import('#web/screens/onboarding/onboarding-screen.tsx'))
const BarredScreen = lazy(() => import('./-barred-screen.tsx'))

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFoundScreen,
  errorComponent: FramelessError,
})

const screenNow = (path: string, user: CurrentUser | null) =>
  screenAt(path, user, { brandSlug: brand.slug, isProduction: boot.isProduction, now: Date.now() })

/** Whether the first URL is only for members and no one is signed in. */
export const needsSignIn = () => !boot.user && screenNow(location.pathname, null) === 'auth'

/** Code the first screen loads in addition to its route. */
export const frameCode = () =>
  boot.user ? loadMemberFrame() : location.pathname === '/landing' ? loadLandingHeader() : needsSignIn() && loadAuth()

/** Decides which screen to show: the page of the route, or a screen in its place. */
function Root() {
  const user = useCurrentUser()
  const { pathname, href, search } = useLocation()
  const screen = screenNow(pathname, user)
  // `lazy` suspends even if its code is loaded, which would briefly remove the server's HTML.
  const AuthScreen = loadedAuth ?? LazyAuthScreen
  // After signing in at /auth, continue to the requested page.
  if (screen === 'home') return <Navigate to="/" href={safeReturnTo(search.returnTo) ?? '/'} replace />
  return (
    <AppFrame header={headerAt(pathname, screen, user !== null)}>
      <Suspense fallback={<LoadingScreen />}>
        {screen === 'page' && <Outlet />}
        {screen === 'onboarding' && <OnboardingScreen />}
        {screen === 'auth' && <AuthScreen returnTo={href} />}
        {(screen === 'standing' || screen === 'second-factor') && <BarredScreen screen={screen} />}
        <TakeOver />
      </Suspense>
    </AppFrame>
  )
}

function headerAt(path: string, screen: Exclude<Screen, 'home'>, isSignedIn: boolean): FrameHeader {
  if (screen !== 'page' && screen !== 'auth') return 'none'
  if (path === '/landing') return 'landing'
  return isSignedIn && screen === 'page' && path !== '/business/register' ? 'top' : 'simple'
}
