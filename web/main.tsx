import { QueryClientProvider } from '@tanstack/react-query'
import { CatchBoundary, createRouter, RouterProvider } from '@tanstack/react-router'
import { lazy, StrictMode, Suspense, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { markMissingCode } from './lib/api-error.ts'
import { otherAccount } from './lib/call.ts'
import { awaitInstallOffer } from './lib/install-offer.ts'
import { markSharedDataStale, queryClient } from './lib/query-client.ts'
import { routeTree } from './route-tree.gen.ts'
import { preloadFrame } from './routes/__root.tsx'
import { ScreenError } from './screens/layout/screen-error.tsx'
import './styles.css'
import { useStore } from './lib/store.ts'
import { buttonClass } from './ui/button-class.ts'
import { type Toast, toastDuration, toastStore } from './ui/toast-store.ts'

markMissingCode()

const loadToasts = () => import('./ui/toast-viewport.tsx')

const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  // Loaders only start queries, and the query client decides which data is fresh.
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
// Replaces the toast of the refused write, which may not say why.
addEventListener(otherAccount, () => void loadToasts().then(({ toastOtherAccount }) => setTimeout(toastOtherAccount)))
router.subscribe('onRendered', ({ pathChanged }) => pathChanged && markSharedDataStale())

/** Loads tooltips at the first pointer or keyboard interaction, and shows the one for the control under the pointer. */
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

const ToastViewport = lazy(loadToasts)

const useToasts = () => useStore(toastStore)

function Toaster() {
  const toasts = useToasts()
  if (toasts.length === 0) return null
  return (
    <CatchBoundary getResetKey={() => null} errorComponent={PlainToasts}>
      <Suspense fallback={null}>
        <ToastViewport toasts={toasts} onDismiss={toastStore.dismiss} />
      </Suspense>
    </CatchBoundary>
  )
}

/** Replaces toasts if their code fails to load, for example if the first toast reports a lost connection. */
function PlainToasts() {
  return useToasts().map((each) => each.open && <PlainToast key={each.id} {...each} />)
}

function PlainToast({ id, title, description, action }: Toast) {
  useEffect(() => {
    const timer = setTimeout(() => toastStore.dismiss(id), toastDuration)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div
      role="alert"
      className="fixed right-0 bottom-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom))] z-60 m-4 flex max-w-md items-center gap-3 rounded-card border border-line bg-raised px-4 py-2.5 shadow-lift"
    >
      <p className="flex-1">
        <b>{title}</b> {description}
      </p>
      {action && (
        <button
          type="button"
          className={buttonClass('secondary', 'sm')}
          onClick={() => {
            action.onClick()
            toastStore.dismiss(id)
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className={buttonClass('secondary', 'sm')} onClick={() => toastStore.dismiss(id)}>
        Dismiss
      </button>
    </div>
  )
}

async function start() {
  // Render the whole screen at once, so that the header doesn't appear separately.
  await Promise.allSettled([router.load(), preloadFrame()])
  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
  // Outside the app, because open dialogs hide everything from assistive technology except themselves and elements with `aria-live`.
  const toasts = document.body.appendChild(document.createElement('div'))
  toasts.setAttribute('aria-live', 'off')
  createRoot(toasts).render(<Toaster />)
}

void start()
