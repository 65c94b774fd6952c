import { QueryClient } from '@tanstack/react-query'

/**
 * The specification's query defaults: nothing goes stale by time or is fetched again by itself; no retries. Mutations and live events
 * invalidate what changed; {@link othersChange} marks what neither covers. A call is made even when the browser
 * says that it is offline: then it fails and the screen can say so, where it would otherwise wait without a word.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchInterval: false,
      retry: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** The `meta` of answers that other people change without a live event: they are asked for again when their screen is opened again. */
export const othersChange = { othersChange: true } as const

/** Called when another screen is shown: marks the shared answers that no screen shows, so that the next one that needs them asks again. */
export const askAgainLater = (): void =>
  void queryClient.invalidateQueries({ type: 'inactive', refetchType: 'none', predicate: ({ meta }) => meta?.othersChange === true })
