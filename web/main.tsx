import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { awaitInstallOffer } from './lib/install-offer.ts'
import { markMissingCode } from './lib/missing-code.ts'
import { askAgainLater, queryClient } from './lib/query-client.ts'
import { routeTree } from './route-tree.gen.ts'
import { preloadFrame } from './routes/__root.tsx'
import { ScreenError } from './screens/layout/screen-error.tsx'
import './styles.css'
import { Toaster } from './ui/toaster.tsx'

markMissingCode()

const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  // Loaders only start queries, and the query client knows which are fresh.
  defaultPreloadStaleTime: 0,
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

/** Loads tooltips at the first pointer or keyboard interaction, and shows the tooltip of the control under the pointer by then. */
function bringTooltips() {
  const signs = ['pointerover', 'keydown'] as const
  let latest: Event | undefined
  const bring = async (event: Event) => {
    if (event instanceof PointerEvent && event.pointerType === 'touch') return
    const isLoading = latest !== undefined
    latest = event
    if (isLoading) return
    try {
      const { listenForTooltips, onPointerOver } = await import('./ui/tooltips.ts')
      for (const sign of signs) removeEventListener(sign, bring)
      listenForTooltips()
      if (latest instanceof PointerEvent) onPointerOver(latest)
    } catch {
      // Tooltips are optional: assistive technology reads the same names. The next interaction tries again.
      latest = undefined
    }
  }
  for (const sign of signs) addEventListener(sign, bring)
}

async function start() {
  // The first render shows the whole screen instead of a header that pops in.
  await Promise.allSettled([router.load(), preloadFrame()])
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
  // Outside the app, which an open dialog hides from assistive technology.
  createRoot(document.body.appendChild(document.createElement('div'))).render(<Toaster />)
}

void start()
