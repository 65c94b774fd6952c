import { useSyncExternalStore } from 'react'

/** Runs for the first listener. The returned function runs after the last one has left. */
type Start = () => () => void

/** For events, and for values stored elsewhere, such as on the page or in the browser's storage. */
export function createListeners<Values extends unknown[] = []>(start?: Start) {
  const listeners = new Set<(...values: Values) => void>()
  let stop: (() => void) | undefined
  return {
    notify(...values: Values): void {
      for (const listener of listeners) listener(...values)
    },
    /** Don't add the same function twice. @returns a function that removes the listener */
    subscribe(listener: (...values: Values) => void): () => void {
      if (listeners.size === 0) stop = start?.()
      listeners.add(listener)
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop?.()
      }
    },
  }
}

/** An entry of this device's storage. Without storage, which browsers may block, it's always null. */
export const deviceItem = (name: string) => ({
  get(): string | null {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  },
  /** Null deletes the entry. */
  set(text: string | null): void {
    try {
      if (text === null) localStorage.removeItem(name)
      else localStorage.setItem(name, text)
    } catch {
      // Storage is optional.
    }
  },
})

export type Store<Value> = ReturnType<typeof createStore<Value>>

export function createStore<Value>(initial: Value, start?: Start) {
  let value = initial
  const { notify, subscribe } = createListeners(start)
  return {
    get: (): Value => value,
    set(next: Value): void {
      if (Object.is(next, value)) return
      value = next
      notify()
    },
    subscribe,
  }
}

export const useStore = <Value>({ get, subscribe }: Pick<Store<Value>, 'get' | 'subscribe'>): Value =>
  useSyncExternalStore(subscribe, get, get)
