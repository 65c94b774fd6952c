import { signOutUrl } from '#web/lib/route-access.ts'
import { createStore, useStore } from '#web/lib/store.ts'
import { type ToastOptions, toastStore } from '#web/ui/toast-store.ts'

type Removal = {
  id: string
  /** IDs to hide. Defaults to `id`. */
  hides?: readonly string[]
  /** The toast's title: "Post deleted". */
  title: string
  /** Must send the request immediately and with `keepalive`, because the page may be closing. */
  commit: () => Promise<unknown>
  /** Called if the server fails to delete the item, which then appears again. */
  onFailed: (error: unknown) => void
  onUndone?: () => void
}

type Toasts = {
  show: (options: ToastOptions) => { id: string }
  dismiss: (id: string) => void
  get: () => readonly { id: string; open: boolean }[]
  subscribe: (listener: () => void) => () => void
}

/**
 * Hides an item and deletes it once the toast with Undo closes, because the server can't restore it. Leaving the page deletes it
 * immediately and closes the toast.
 */
export function createRemovals(toasts: Toasts, onLeave: (listener: () => Promise<unknown> | undefined) => void) {
  const hidden = createStore<ReadonlySet<string>>(new Set())
  /** The IDs of the toasts for items that aren't deleted yet. */
  const waiting = new Map<string, string>()
  const running = new Set<Promise<void>>()

  function setHidden({ id, hides = [id] }: Removal, isHidden: boolean) {
    const next = new Set(hidden.get())
    for (const each of hides) {
      if (isHidden) next.add(each)
      else next.delete(each)
    }
    hidden.set(next)
  }

  async function commit(removal: Removal) {
    waiting.delete(removal.id)
    try {
      // The item stays hidden after success, because pending responses may include it.
      await removal.commit()
    } catch (error) {
      setHidden(removal, false)
      removal.onFailed(error)
    }
  }

  onLeave(() => {
    for (const toastId of waiting.values()) toasts.dismiss(toastId)
    return running.size > 0 ? Promise.all(running) : undefined
  })

  return {
    hidden,
    remove(removal: Removal) {
      setHidden(removal, true)
      const undo = () => {
        if (!waiting.delete(removal.id)) return
        setHidden(removal, false)
        removal.onUndone?.()
      }
      const { id } = toasts.show({ title: removal.title, action: { label: 'Undo', onClick: undo } })
      waiting.set(removal.id, id)
      const stop = toasts.subscribe(() => {
        if (toasts.get().some((toast) => toast.id === id && toast.open)) return
        stop()
        if (!waiting.has(removal.id)) return
        const committed = commit(removal)
        running.add(committed)
        void committed.then(() => running.delete(committed))
      })
    },
  }
}

/** In milliseconds. More than a deletion takes on a slow connection. */
const maxWaitMs = 3_000

/**
 * Calls `listener` once the page is hidden, because that doesn't close toasts, and the system may discard the page without notice. Signing
 * out waits for the promise that it returns, because nothing can be deleted without a session.
 */
export function onLeavingPage(listener: () => Promise<unknown> | undefined): void {
  if (typeof window === 'undefined') return
  window.addEventListener('pagehide', listener)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void listener()
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>(`a[href^="${signOutUrl}"]`)
    const left = link ? listener() : undefined
    if (!link || !left) return
    event.preventDefault()
    void Promise.race([left, new Promise((resolve) => setTimeout(resolve, maxWaitMs))]).then(() => location.assign(link.href))
  })
}

export const removals = createRemovals(toastStore, onLeavingPage)

/** IDs of items just deleted here, which lists leave out. */
export const useRemoved = (): ReadonlySet<string> => useStore(removals.hidden)
