import { useSyncExternalStore } from 'react'

const neverChanges = () => () => {}

/**
 * True while the app goes on with the HTML that came first. A part of it that is gone on with late may find answers by then that the server
 * did not have: it shows what the HTML shows, and at once afterwards what it knows.
 */
export const useIsHydrating = (): boolean =>
  useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  )
