import { CatchBoundary } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useStore } from '#web/lib/store.ts'
import { buttonClass } from './button-class.ts'
import { toastStore } from './toast-store.ts'

const ToastViewport = lazy(() => import('./toast-viewport.tsx'))

const useToasts = () => useStore(toastStore)

/** Renders toasts; include once, at the end of the page. Its code loads with the first toast. */
export function Toaster() {
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

/** Fallback if that code fails to load, for example if the first toast says that there is no connection. */
function PlainToasts() {
  const toasts = useToasts().filter(({ open }) => open)
  return toasts.map(({ id, title, description, action }) => (
    <div
      key={id}
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
  ))
}
