import { createStore, useStore } from '#web/lib/store.ts'
import { type ToastOptions, toastStore } from '#web/ui/toast-store.ts'

type Removal = {
  id: string
  /** IDs to hide; `id` by default. */
  hides?: readonly string[]
  /** Toast title: "Post deleted". */
  title: string
  commit: () => Promise<unknown>
  /** Same, for a page being closed: doesn't wait for the response. */
  commitOnLeave: () => void
  /** The server failed to delete it, so it is shown again. */
  onFailed: (error: unknown) => void
  onUndone?: () => void
}

type Toasts = {
  show: (options: ToastOptions) => { id: string }
  get: () => readonly { id: string; open: boolean }[]
  subscribe: (listener: () => void) => () => void
}

/**
 * Deletion with Undo. The server can't restore deleted items, so the request is delayed while the toast with Undo is open, and the item is
 * hidden. Leaving the page deletes at once.
 */
export function createRemovals(toasts: Toasts, onLeave: (listener: () => void) => void) {
  const hidden = createStore<ReadonlySet<string>>(new Set())
  const waiting = new Map<string, Removal>()

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
      // Stays hidden after success, because pending responses may still include it.
      await removal.commit()
    } catch (error) {
      setHidden(removal, false)
      removal.onFailed(error)
    }
  }

  onLeave(() => {
    for (const removal of waiting.values()) removal.commitOnLeave()
    waiting.clear()
  })

  return {
    hidden,
    remove(removal: Removal) {
      waiting.set(removal.id, removal)
      setHidden(removal, true)
      const undo = () => {
        if (!waiting.delete(removal.id)) return
        setHidden(removal, false)
        removal.onUndone?.()
      }
      const { id } = toasts.show({ title: removal.title, action: { label: 'Undo', onClick: undo } })
      const stop = toasts.subscribe(() => {
        if (toasts.get().some((toast) => toast.id === id && toast.open)) return
        stop()
        if (waiting.has(removal.id)) void commit(removal)
      })
    },
  }
}

export const removals = createRemovals(toastStore, (listener) => {
  if (typeof window !== 'undefined') window.addEventListener('pagehide', listener)
})

/** IDs of posts and comments just deleted here, to be left out of lists. */
export const useRemoved = (): ReadonlySet<string> => useStore(removals.hidden)
