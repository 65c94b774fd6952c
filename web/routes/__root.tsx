// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { CurrentUser } from '../../contracts/accounts.ts'
import { safeReturnTo } from '../../contracts/return-to.ts'
import { AppFrame, type FrameHeader, loadLandingHeader, loadMemberFrame } from '../features/layout/app-frame.tsx'
import { FramelessError } from '../features/layout/screen-error.tsx'
import { NotFoundScreen } from '../features/not-found/not-found-screen.tsx'
import { boot, brand } from '../lib/boot.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { type Screen, screenAt } from '../lib/route-access.ts'
import { TakeOver } from '../lib/take-over.ts'
import { LoadingScreen } from '../ui/loading-screen.tsx'

type AuthScreen = typeof import('../features/accounts/auth-screen.tsx')['default']
let loadedAuth: AuthScreen | null = null
const loadAuth = async () => {
  const { default: screen } = await import('../features/accounts/auth-screen.tsx')
  loadedAuth = screen
  return { default: screen }
}
const LazyAuthScreen = lazy(loadAuth)
const OnboardingScreen = lazy(() => import('../features/onboarding/onboarding-screen.tsx'))
const BarredScreen = lazy(() => import('./-barred-screen.tsx'))

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFoundScreen,
  errorComponent: FramelessError,
})

const screenNow = (path: string, user: CurrentUser | null) =>
  screenAt(path, user, { brandSlug: brand.slug, isProduction: boot.isProduction, now: Date.now() })

/** Whether what was asked for first is for members alone, and nobody is signed in. */
export const needsSignIn = () => !boot.user && screenNow(location.pathname, null) === 'auth'

/** What of the first screen is loaded by itself, besides its route. */
export const frameCode = () =>
  boot.user ? loadMemberFrame() : location.pathname === '/landing' ? loadLandingHeader() : needsSignIn() && loadAuth()

/** Decides which screen stands at the address: the page of the route, or the one that stands in for it. */
function Root() {
  const user = useCurrentUser()
  const { pathname, href, search } = useLocation()
  const screen = screenNow(pathname, user)
  // `lazy` shows that it waits even where its code is there: for a moment the screen that came with the page would be gone.
  const AuthScreen = loadedAuth ?? LazyAuthScreen
  // Somebody who has just signed in at /auth goes on to what they had asked for.
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
