import { useSyncExternalStore } from 'react'

const neverChanges = () => () => {}

/**
 * True while hydrating the server's HTML. A part that hydrates late may find responses the server didn't have: it first renders what the HTML
 * shows, and then immediately what it knows.
 */
export const useIsHydrating = (): boolean =>
  useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  )

/** The reader's time zone; UTC, which the server rendered, until hydration has finished. */
export const useTimeZone = (): string => (useIsHydrating() ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone)
