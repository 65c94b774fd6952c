import { useSyncExternalStore } from 'react'

/** From here on list and map stand side by side; Tailwind's `lg`. */
const wide = window.matchMedia('(min-width: 64rem)')

function subscribe(listener: () => void) {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches)
