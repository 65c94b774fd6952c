import { useSyncExternalStore } from 'react'

/** From here on list and map stand side by side; Tailwind's `lg`. */
const wide = typeof window === 'undefined' ? null : window.matchMedia('(min-width: 64rem)')

function subscribe(listener: () => void) {
  wide?.addEventListener('change', listener)
  return () => wide?.removeEventListener('change', listener)
}

/** Before there is a browser, as for a phone: there the list is all. */
export const useIsWide = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => wide?.matches ?? false,
    () => false,
  )
