export type ToastOptions = {
  title: string
  description?: string | undefined
  variant?: 'default' | 'destructive' | undefined
  /** One action, such as Undo. Its label is also announced, so name the action. */
  action?: { label: string; onClick: () => void } | undefined
}
export type Toast = ToastOptions & { id: string; open: boolean }

/** Maximum number of toasts: a new one replaces the old one. */
export const toastLimit = 1
/** Display time in milliseconds. */
export const toastDuration = 5000
/** How long a dismissed toast stays in the list (closed), in milliseconds. */
export const toastRemoveDelay = 1_000_000

type Listener = () => void

/** A toast list outside React, so that any code can show one. A factory for tests; the app uses {@link toast}. */
export function createToastStore() {
  let toasts: readonly Toast[] = []
  let lastId = 0
  const listeners = new Set<Listener>()
  const removals = new Map<string, ReturnType<typeof setTimeout>>()

  function change(next: readonly Toast[]) {
    toasts = next
    for (const [id, timer] of removals) {
      if (toasts.some((toast) => toast.id === id)) continue
      clearTimeout(timer)
      removals.delete(id)
    }
    for (const listener of listeners) listener()
  }

  /** Closes a toast; it leaves the list after {@link toastRemoveDelay}, or when another replaces it. */
  function dismiss(id: string) {
    if (!toasts.some((toast) => toast.id === id && toast.open)) return
    removals.set(
      id,
      setTimeout(() => change(toasts.filter((toast) => toast.id !== id)), toastRemoveDelay),
    )
    change(toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)))
  }

  function show(options: ToastOptions) {
    const id = String(++lastId)
    change([{ ...options, id, open: true }, ...toasts].slice(0, toastLimit))
    return { id, dismiss: () => dismiss(id) }
  }

  return {
    show,
    dismiss,
    list: () => toasts,
    subscribe(listener: Listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const toastStore = createToastStore()

/** Shows a toast. `toast({ title: 'Error', description: 'Failed to update like status', variant: 'destructive' })` */
export const toast = toastStore.show
