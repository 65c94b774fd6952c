import { lazy, Suspense, useSyncExternalStore } from 'react'
import { toastStore } from './toast-store.ts'

const ToastViewport = lazy(() => import('./toast-viewport.tsx'))

/** Where toasts appear; once, at the end of the page. The code behind it is fetched with the first toast. */
export function Toaster() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.list)
  if (toasts.length === 0) return null
  return (
    <Suspense fallback={null}>
      <ToastViewport toasts={toasts} onDismiss={toastStore.dismiss} />
    </Suspense>
  )
}
