import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { communityGuidelines } from '#contracts/guideline-texts.ts'
import { helpCenter } from '#contracts/help-texts.ts'
import { businessResources } from '#contracts/resource-texts.ts'
import { type LandingContent, type MissingContent, placesPath, type StartContent, type VisitorPage } from '#contracts/visitor-pages.ts'
import { brand } from './lib/boot.ts'
import { setTimeZone } from './lib/format.ts'
import { queryClient } from './lib/query-client.ts'
import { LandingScreen } from './screens/landing/landing-screen.tsx'
import { AppFrame, VisitorHeader } from './screens/layout/app-frame.tsx'
import { LandingHeader } from './screens/layout/landing-header.tsx'
import { StartPage } from './screens/onboarding/start-page.tsx'
import { PlansScreen } from './screens/plans/plans-screen.tsx'
import { AccessibilityPage } from './screens/public-pages/accessibility-page.tsx'
import { ContactPage } from './screens/public-pages/contact-page.tsx'
import { DataPage } from './screens/public-pages/data-page.tsx'
import { DevelopersPage } from './screens/public-pages/developers-page.tsx'
import { HelpTextPage } from './screens/public-pages/help-text-page.tsx'
import { PrivacyPage } from './screens/public-pages/privacy-page.tsx'
import { RulesPage } from './screens/public-pages/rules-page.tsx'
import { TermsPage } from './screens/public-pages/terms-page.tsx'
import { CityPage } from './screens/visitors/city-page.tsx'
import { ItemPage, MenuPage } from './screens/visitors/menu-page.tsx'
import { PlacesPage, StatePage } from './screens/visitors/places-page.tsx'
import { StrainPage } from './screens/visitors/strain-page.tsx'
import { setNow } from './ui/ago.tsx'
import { buttonClass } from './ui/button-class.ts'

/**
 * Complete HTML for visitors, without the web app: the same components, rendered once without a viewer. static-page.ts has the few scripts
 * they need.
 */
const pages: Record<string, () => ReactNode> = {
  '/': () => <StartPage hasPassedAgeGate={false} />,
  '/?age-gate=passed': () => <StartPage hasPassedAgeGate={true} />,
  '/landing': () => <LandingScreen />,
  [`/${brand.slug}`]: PlansScreen,
  '/accessibility': AccessibilityPage,
  '/contact': ContactPage,
  '/data': DataPage,
  '/developers': DevelopersPage,
  '/guidelines': () => <HelpTextPage text={communityGuidelines} />,
  '/help': () => <HelpTextPage text={helpCenter(brand)} />,
  '/privacy': PrivacyPage,
  '/resources': () => <HelpTextPage text={businessResources(brand)} />,
  '/rules': RulesPage,
  '/terms': TermsPage,
}

/** Returns HTML by path. The start page after the age gate has a query string. */
export async function renderStaticPages(): Promise<Record<string, string>> {
  const html: Record<string, string> = {}
  for (const [address, Page] of Object.entries(pages)) html[address] = await render(address, Page)
  return html
}

export async function renderVisitorPage({ now, isSignedIn, content }: VisitorPage): Promise<string> {
  const clock = { now, timeZone: timeZoneOf(content) }
  if (content.kind === 'start') return render('/', () => <StartPage {...content} />, { clock })
  if (content.kind === 'landing') return render('/landing', () => <LandingScreen content={content} />, { clock })
  return render('/visitors', () => <VisitorContent content={content} isSignedIn={isSignedIn} />, {
    clock,
    header: <VisitorHeader isSignedIn={isSignedIn} />,
  })
}

function timeZoneOf(content: VisitorPage['content']): string {
  if (content.kind === 'menu' || content.kind === 'item') return content.locations[0]?.timeZone ?? 'UTC'
  const businesses = content.kind === 'city' ? content.businesses : content.kind === 'strain' ? (content.shops ?? []) : []
  return businesses.find(({ timeZone }) => timeZone)?.timeZone ?? 'UTC'
}

type VisitorContentProps = { content: Exclude<VisitorPage['content'], StartContent | LandingContent>; isSignedIn: boolean }

function VisitorContent({ content, isSignedIn }: VisitorContentProps) {
  switch (content.kind) {
    case 'menu':
      return <MenuPage content={content} />
    case 'item':
      return <ItemPage content={content} />
    case 'places':
      return <PlacesPage content={content} />
    case 'state':
      return <StatePage content={content} />
    case 'city':
      return <CityPage content={content} isSignedIn={isSignedIn} />
    case 'strain':
      return <StrainPage content={content} />
    case 'missing':
      return <MissingPage of={content.of} />
  }
}

type RenderOptions = { header?: ReactNode; clock?: { now: number; timeZone: string } }

async function render(address: string, Page: () => ReactNode, { header: ownHeader, clock }: RenderOptions = {}): Promise<string> {
  const isStart = address.startsWith('/?') || address === '/'
  const header = ownHeader ?? (address === '/landing' ? <LandingHeader /> : <VisitorHeader />)
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
  // Don't set these before the router has loaded, because another page may set its own in the meantime.
  if (clock) {
    setNow(clock.now)
    setTimeZone(clock.timeZone)
  }
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

const missing: Record<MissingContent['of'], { title: string; text: string }> = {
  menu: { title: 'Menu not found', text: 'There’s no menu at this address. The business may have moved or closed.' },
  item: { title: 'Item not found', text: 'It may no longer be on the menu.' },
  strain: { title: 'Strain not found', text: 'Our list has no strain by that name. Check the spelling.' },
  place: {
    title: 'Place not found',
    text: 'There’s no page for a US state or city at this address. Check the spelling, or choose a place.',
  },
}

function MissingPage({ of }: Pick<MissingContent, 'of'>) {
  const { title, text } = missing[of]
  return (
    <div className="mx-auto grid max-w-text justify-items-center gap-3 px-4 py-20 text-center">
      <h1 className="text-2xl">{title}</h1>
      <p className="text-muted">{text}</p>
      <a href={of === 'place' ? placesPath() : '/landing'} className={buttonClass('secondary', 'md', 'mt-2')}>
        {of === 'place' ? 'See all places' : 'Go to the home page'}
      </a>
    </div>
  )
}
