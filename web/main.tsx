import { type AnyRoute, createRouter } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { awaitInstallOffer } from './lib/install-offer.ts'
import { markMissingCode } from './lib/missing-code.ts'
import { askAgainLater, queryClient } from './lib/query-client.ts'
import { prepareTakeOver } from './lib/take-over.ts'
import { routeTree } from './route-tree.gen.ts'
import { frameCode, needsSignIn } from './routes/__root.tsx'
import { ScreenError } from './screens/layout/screen-error.tsx'
import './styles.css'
import { Toaster } from './ui/toaster.tsx'

markMissingCode()

const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenError,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

awaitInstallOffer()
bringTooltips()
router.subscribe('onRendered', ({ pathChanged }) => pathChanged && askAgainLater())

const place = document.getElementById('root') as HTMLElement
const app = <App router={router} queryClient={queryClient} />

/** Outside the app, because the server's HTML has none, and hydration compares the two. */
function showToasts() {
  createRoot(document.body.appendChild(document.createElement('div'))).render(<Toaster />)
}

/** Loads tooltips at the first pointer or keyboard interaction. */
function bringTooltips() {
  const signs = ['pointerover', 'keydown'] as const
  const bring = (event: Event) => {
    if (event instanceof PointerEvent && event.pointerType === 'touch') return
    for (const sign of signs) removeEventListener(sign, bring)
    import('./ui/tooltips.ts').then(
      ({ listenForTooltips, onPointerOver }) => {
        listenForTooltips()
        if (event instanceof PointerEvent) onPointerOver(event)
      },
      // Tooltips are optional: assistive technology reads the same names.
      () => undefined,
    )
  }
  for (const sign of signs) addEventListener(sign, bring)
}

/**
 * If a visitor gets the sign-in screen, delays the code of the screen behind it until they have signed in. The router preloads only components
 * with a `preload` method, so the wrapper hides it.
 */
function delayScreen() {
  const routes = router.routesById as unknown as Record<string, AnyRoute>
  const route = routes[router.matchRoutes(router.latestLocation).at(-1)?.routeId]
  const Screen: ComponentType | undefined = route?.options.component
  if (!route || !Screen) return
  route.update({ component: () => <Screen /> })
  route.options.loader = undefined
}

async function goOn() {
  // Tells the router that the page was server-rendered.
  router.ssr = { manifest: undefined }
  await Promise.allSettled([router.load(), frameCode()])
  prepareTakeOver()
  hydrateRoot(place, app)
  showToasts()
}

if (needsSignIn()) delayScreen()

// Keep the server's HTML and hydrate it once the screen's code has loaded.
if (place.firstChild) void goOn()
else {
  createRoot(place).render(app)
  showToasts()
}
