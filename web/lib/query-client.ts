import { QueryClient } from '@tanstack/react-query'

/**
 * The specification's query defaults: nothing goes stale or is fetched again by itself; no retries. A call is made even when the browser
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
