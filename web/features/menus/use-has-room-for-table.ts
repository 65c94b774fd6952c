import { useSyncExternalStore } from 'react'

/** From here on a table can be worked with; Tailwind's `md`. */
const wide = window.matchMedia('(min-width: 48rem)')

function subscribe(listener: () => void) {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

export const useHasRoomForTable = (): boolean => useSyncExternalStore(subscribe, () => wide.matches)
