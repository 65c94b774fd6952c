import { type ToastOptions, toastStore } from '../../ui/toast-store.ts'

type Removal = {
  id: string
  /** What is hidden meanwhile, when that is not `id` alone. */
  hides?: readonly string[]
  /** "Post deleted". */
  title: string
  /** Deletes it for good. */
  commit: () => Promise<unknown>
  /** The same, for a page that is being left: nobody waits for the answer. */
  commitOnLeave: () => void
  /** The server did not delete it: it is shown again. */
  onFailed: (error: unknown) => void
  onUndone?: () => void
}

type Toasts = {
  show: (options: ToastOptions) => { id: string }
  list: () => readonly { id: string; open: boolean }[]
  subscribe: (listener: () => void) => () => void
}

/**
 * Deleting with an Undo: nothing that is deleted on the server comes back, so the call waits as long as the toast with its Undo is open.
 * Meanwhile the thing is hidden. A page that is left deletes at once.
 */
export function createRemovals(toasts: Toasts, onLeave: (listener: () => void) => void) {
  let hidden: ReadonlySet<string> = new Set()
  const waiting = new Map<string, Removal>()
  const listeners = new Set<() => void>()

  function setHidden({ id, hides = [id] }: Removal, isHidden: boolean) {
    const next = new Set(hidden)
    for (const each of hides) {
      if (isHidden) next.add(each)
      else next.delete(each)
    }
    hidden = next
    for (const listener of listeners) listener()
  }

  async function commit(removal: Removal) {
    waiting.delete(removal.id)
    try {
      // What is gone stays hidden: an answer that was on its way may still bring it.
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
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    hidden: () => hidden,
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
        if (toasts.list().some((toast) => toast.id === id && toast.open)) return
        stop()
        if (waiting.has(removal.id)) void commit(removal)
      })
    },
  }
}

export const removals = createRemovals(toastStore, (listener) => {
  if (typeof window !== 'undefined') window.addEventListener('pagehide', listener)
})
