import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Whether the browser has a network at all. That something comes through it is seen when a message arrives. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine)
