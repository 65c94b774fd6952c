import { useIsHydrating } from './use-is-hydrating.ts'

/** The reader's time zone; UTC, as the server wrote it, until the app has taken over the HTML. */
export const useTimeZone = (): string => (useIsHydrating() ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone)
