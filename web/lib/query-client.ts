import { QueryClient } from '@tanstack/react-query'
import { minuteMs } from '#contracts/time.ts'

/**
 * The specification's query defaults: nothing becomes stale by itself, no automatic refetching, no retries. Mutations and live events
 * invalidate data; {@link othersChange} marks data that neither covers. Calls are made even if the browser says it is offline, so that they
 * fail with a message instead of waiting silently.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchInterval: false,
      retry: false,
      // A screen doesn't repeat a call that has just failed in its route's loader.
      retryOnMount: ({ state }) => state.isInvalidated || Date.now() - state.errorUpdatedAt > alwaysCurrent.staleTime,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** `meta` of shared data that changes without a live event: it is refetched when its screen is opened again. */
export const othersChange = { othersChange: true } as const

/** For data that must be current whenever it is shown: refetched on mount, unless a loader has just fetched it. In milliseconds. */
export const alwaysCurrent = { staleTime: 3_000 } as const

/** For lists: an inactive one stays cached for half an hour, so that Back restores its pages and scroll position. */
export const cachedForBack = { gcTime: 30 * minuteMs } as const

/** Call when another screen is shown: marks shared data that isn't visible as stale, so that its next use refetches it. */
export const askAgainLater = (): void =>
  void queryClient.invalidateQueries({ type: 'inactive', refetchType: 'none', predicate: ({ meta }) => meta?.othersChange === true })
