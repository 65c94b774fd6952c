import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { communityGuidelines } from '#contracts/guideline-texts.ts'
import { helpCenter } from '#contracts/help-texts.ts'
import { businessResources } from '#contracts/resource-texts.ts'
import { brand } from './lib/boot.ts'
import { queryClient } from './lib/query-client.ts'
import { LandingScreen } from './screens/landing/landing-screen.tsx'
import { AppFrame, VisitorHeader } from './screens/layout/app-frame.tsx'
import { LandingHeader } from './screens/layout/landing-header.tsx'
import { StartPage } from './screens/onboarding/start-page.tsx'
import { PlansScreen } from './screens/plans/plans-screen.tsx'
import { AccessibilityPage } from './screens/public-pages/accessibility-page.tsx'
import { ContactPage } from './screens/public-pages/contact-page.tsx'
import { DataPage } from './screens/public-pages/data-page.tsx'
import { HelpTextPage } from './screens/public-pages/help-text-page.tsx'
import { PrivacyPage } from './screens/public-pages/privacy-page.tsx'
import { RulesPage } from './screens/public-pages/rules-page.tsx'
import { TermsPage } from './screens/public-pages/terms-page.tsx'

/**
 * Pages that the server sends to visitors as complete HTML, without the web app: the same components, rendered once without a viewer. The
 * few scripts they need are in static-page.ts.
 */
const pages: Record<string, () => ReactNode> = {
  '/': () => <StartPage hasPassedAgeGate={false} />,
  '/?age-gate=passed': () => <StartPage hasPassedAgeGate={true} />,
  '/landing': LandingScreen,
  [`/${brand.slug}`]: PlansScreen,
  '/accessibility': AccessibilityPage,
  '/contact': ContactPage,
  '/data': DataPage,
  '/guidelines': () => <HelpTextPage text={communityGuidelines} />,
  '/help': () => <HelpTextPage text={helpCenter(brand)} />,
  '/privacy': PrivacyPage,
  '/resources': () => <HelpTextPage text={businessResources(brand)} />,
  '/rules': RulesPage,
  '/terms': TermsPage,
}

/** All of them by path, plus query string for the start page. */
export async function renderStaticPages(): Promise<Record<string, string>> {
  const html: Record<string, string> = {}
  for (const [address, Page] of Object.entries(pages)) html[address] = await render(address, Page)
  return html
}

async function render(address: string, Page: () => ReactNode): Promise<string> {
  const isStart = address.startsWith('/?') || address === '/'
  const header = address === '/landing' ? <LandingHeader /> : <VisitorHeader />
  const root = createRootRoute({
    component: () => (
      <AppFrame header={!isStart && header} hasFooter={!isStart}>
        <Outlet />
      </AppFrame>
    ),
  })
  const route = createRoute({ getParentRoute: () => root, path: isStart ? '/' : address, component: Page })
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createRouter({ routeTree: root.addChildren([route]), history })
  await router.load()
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}
