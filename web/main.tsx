import { type AnyRoute, createRouter } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { ScreenError } from './features/layout/screen-error.tsx'
import { awaitInstallOffer } from './lib/install-offer.ts'
import { markMissingCode } from './lib/missing-code.ts'
import { askAgainLater, queryClient } from './lib/query-client.ts'
import { watchTyping } from './lib/take-over.ts'
import { routeTree } from './route-tree.gen.ts'
import { frameCode, needsSignIn } from './routes/__root.tsx'
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

/** Beside the app: the HTML that came with the page has none, and React compares. */
function showToasts() {
  createRoot(document.body.appendChild(document.createElement('div'))).render(<Toaster />)
}

/** Tooltips come with the first thing that a person points at or reaches by key. */
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
      // Assistive technology reads the same names.
      () => undefined,
    )
  }
  for (const sign of signs) addEventListener(sign, bring)
}

/**
 * Where a visitor meets the screen to sign in, the code of the screen behind it waits until somebody has signed in: the router loads only
 * components that offer it.
 */
function holdScreenBack() {
  const routes = router.routesById as unknown as Record<string, AnyRoute>
  const route = routes[router.matchRoutes(router.latestLocation).at(-1)?.routeId]
  const Screen: ComponentType | undefined = route?.options.component
  if (!route || !Screen) return
  route.update({ component: () => <Screen /> })
  route.options.loader = undefined
}

async function goOn() {
  // The router's word for a page that the server has drawn.
  router.ssr = { manifest: undefined }
  await Promise.allSettled([router.load(), frameCode()])
  watchTyping()
  hydrateRoot(place, app)
  showToasts()
}

if (needsSignIn()) holdScreenBack()

// HTML that came with the page stays, and is gone on with when the code of the screen is there.
if (place.firstChild) void goOn()
else {
  createRoot(place).render(app)
  showToasts()
}
