import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { ScreenError } from './features/layout/screen-error.tsx'
import { awaitInstallOffer } from './lib/install-offer.ts'
import { markMissingCode } from './lib/missing-code.ts'
import { queryClient } from './lib/query-client.ts'
import { TakeOver } from './lib/take-over.ts'
import { routeTree } from './route-tree.gen.ts'
import { frameCode } from './routes/__root.tsx'
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

const place = document.getElementById('root') as HTMLElement

function show() {
  // At once and whole: what stands there is not taken away for parts that are still on their way.
  startTransition(() =>
    createRoot(place).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Toaster />
          <TakeOver />
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
}

// HTML that came with the page stays until the screen that takes its place is complete.
if (place.firstChild) void Promise.allSettled([router.load(), frameCode()]).then(show)
else show()
