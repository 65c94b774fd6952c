import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, lazyRouteComponent, Navigate, notFound, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { safeReturnTo } from '#contracts/addresses.ts'
import { boot, brand } from '#web/lib/boot.ts'
import { currentUserOptions, useCurrentUser } from '#web/lib/current-user.ts'
import { type Screen, screenAt } from '#web/lib/route-access.ts'
import { AppFrame, BrandLink, HeaderBar, VisitorHeader } from '#web/screens/layout/app-frame.tsx'
import { FramelessError } from '#web/screens/layout/screen-error.tsx'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { NotFoundScreen } from '#web/ui/not-found-screen.tsx'

// Each viewer needs only some of these. Once preloaded, they render without a fallback.
const loadMemberFrame = () => import('#web/screens/layout/member-frame.tsx')
const TopHeader = lazyRouteComponent(loadMemberFrame, 'TopHeader')
const MemberSimpleHeader = lazyRouteComponent(loadMemberFrame, 'MemberSimpleHeader')
const BottomBar = lazyRouteComponent(loadMemberFrame, 'BottomBar')
const LandingHeader = lazyRouteComponent(() => import('#web/screens/layout/landing-header.tsx'), 'LandingHeader')
const AuthScreen = lazyRouteComponent(() => import('#web/screens/sign-in/auth-screen.tsx'))
const OnboardingScreen = lazy(() => import('#web/screens/onboarding/onboarding-screen.tsx'))
const BarredScreen = lazy(() => import('./-barred-screen.tsx'))

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  async beforeLoad({ context, location }) {
    const user = await context.queryClient.ensureQueryData(currentUserOptions)
    const screen = screenNow(location.pathname, user)
    // The sign-in screen replaces the page, whose code and data visitors don't need. Signing in reloads the page.
    if (screen === 'auth') throw notFound()
    return { user, showsPage: screen === 'page' }
  },
  component: Root,
  notFoundComponent: NotFoundScreen,
  errorComponent: FramelessError,
})

const screenNow = (path: string, user: CurrentUser | null) =>
  screenAt(path, user, { brandSlug: brand.slug, isProduction: boot.isProduction, now: Date.now() })

const memberFrame = [TopHeader, MemberSimpleHeader, BottomBar]

/** Loads the parts of the first screen that don't belong to its route, such as the header. */
export async function preloadFrame(): Promise<void> {
  const parts = boot.user ? memberFrame : screenNow(location.pathname, null) === 'auth' ? [AuthScreen] : []
  await Promise.allSettled(parts.map((part) => part.preload?.()))
}

function Root() {
  const user = useCurrentUser()
  const { pathname, href, search } = useLocation()
  const screen = screenNow(pathname, user)
  useEffect(() => {
    // The header and the bottom bar must appear together with the first page.
    if (screen === 'onboarding' && user) for (const part of memberFrame) void part.preload?.()?.catch(() => undefined)
  }, [screen, user])
  if (screen === 'home') return <Navigate to="/" href={safeReturnTo(search.returnTo) ?? '/'} replace />
  const hasFrame = screen === 'page' || screen === 'auth'
  return (
    <AppFrame
      header={hasFrame && headerAt(pathname, screen, user)}
      hasFooter={hasFrame}
      bottomBar={
        hasFrame &&
        user?.hasCompletedOnboarding && (
          <Suspense>
            <BottomBar />
          </Suspense>
        )
      }
    >
      <Suspense fallback={<LoadingScreen />}>
        {screen === 'page' && <Outlet />}
        {screen === 'onboarding' && <OnboardingScreen />}
        {screen === 'auth' && <AuthScreen returnTo={href} />}
        {(screen === 'standing' || screen === 'second-factor') && <BarredScreen screen={screen} />}
      </Suspense>
    </AppFrame>
  )
}

function headerAt(path: string, screen: Screen, user: CurrentUser | null): ReactNode {
  if (!user && path !== '/landing') return <VisitorHeader />
  const empty = (
    <HeaderBar>
      <BrandLink to={user ? '/' : '/landing'} />
    </HeaderBar>
  )
  const isSimple = screen !== 'page' || path === '/business/register'
  return (
    <Suspense fallback={empty}>
      {user ? isSimple ? <MemberSimpleHeader user={user} /> : <TopHeader user={user} /> : <LandingHeader />}
    </Suspense>
  )
}
