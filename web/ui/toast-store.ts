import { createStore } from '#web/lib/store.ts'

export type ToastOptions = {
  title: string
  description?: string | undefined
  variant?: 'default' | 'destructive' | undefined
  /** A single action, such as Undo. Screen readers announce the label, so name the action. */
  action?: { label: string; onClick: () => void } | undefined
}
export type Toast = ToastOptions & { id: string; open: boolean }

export const toastLimit = 1
/** In milliseconds. */
export const toastDuration = 5000
/** In milliseconds. Dismissed toasts remain in the list, closed, for this time. */
export const toastRemoveDelay = 1_000_000

/** Outside React, so any code can show a toast. Tests create their own store; the app uses {@link toast}. */
export function createToastStore() {
  const toasts = createStore<readonly Toast[]>([])
  let lastId = 0
  const removals = new Map<string, ReturnType<typeof setTimeout>>()

  function change(next: readonly Toast[]) {
    for (const [id, timer] of removals) {
      if (next.some((toast) => toast.id === id)) continue
      clearTimeout(timer)
      removals.delete(id)
    }
    toasts.set(next)
  }

  /** The toast leaves the list after {@link toastRemoveDelay}, or when another replaces it. */
  function dismiss(id: string) {
    if (!toasts.get().some((toast) => toast.id === id && toast.open)) return
    removals.set(
      id,
      setTimeout(() => change(toasts.get().filter((toast) => toast.id !== id)), toastRemoveDelay),
    )
    change(toasts.get().map((toast) => (toast.id === id ? { ...toast, open: false } : toast)))
  }

  function show(options: ToastOptions) {
    const id = String(++lastId)
    change([{ ...options, id, open: true }, ...toasts.get()].slice(0, toastLimit))
    return { id, dismiss: () => dismiss(id) }
  }

  return { show, dismiss, get: toasts.get, subscribe: toasts.subscribe }
}

export const toastStore = createToastStore()

/** `toast({ title: 'Error', description: 'Failed to update like status', variant: 'destructive' })` */
export const toast = toastStore.show
