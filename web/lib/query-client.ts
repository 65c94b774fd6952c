import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient, type QueryKey } from '@tanstack/react-query'
import { minuteMs } from '#contracts/time.ts'

class AppQueryClient extends QueryClient {
  /**
   * Also covers fetches that TanStack Query doesn't restart, such as a screen's first one, because they may return data from before the
   * invalidation.
   */
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const running = this.getQueryCache()
      .findAll(filters)
      .map((query) => ({ query, fetch: query.state.fetchStatus === 'idle' ? undefined : query.promise }))
    const invalidated = super.invalidateQueries(filters, options)
    const kept = running.filter(({ query, fetch }) => fetch && query.promise === fetch)
    const repeated = kept.map(async ({ query, fetch }) => {
      await fetch?.catch(() => undefined)
      // If another fetch has started in the meantime, its data won't be outdated.
      if (!query.promise) await super.invalidateQueries({ ...filters, predicate: (each) => each === query }, options)
    })
    await Promise.all([invalidated, ...repeated])
  }
}

/**
 * The specification's query defaults: nothing becomes stale by itself, no automatic refetching, no retries. Mutations and live events
 * invalidate data; {@link othersChange} marks data that neither covers. Calls run even if the browser reports that it's offline, so they
 * fail with a message instead of waiting silently.
 */
export const queryClient = new AppQueryClient({
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

/** `meta` for shared data that changes without a live event. Opening its screen again refetches it. */
export const othersChange = { othersChange: true } as const

/** For data that must be current whenever a screen shows it. Refetches on mount, unless a loader has just fetched it. */
export const alwaysCurrent = { staleTime: 3_000 } as const

/** For lists. An inactive one remains cached for half an hour, so Back restores its pages and scroll position. */
export const cachedForBack = { gcTime: 30 * minuteMs } as const

/** If one text is a prefix of the other, previous results are a good placeholder. */
export const isOnTheWay = (one: string, other: string): boolean => {
  const [short = '', long = ''] = [one.toLowerCase(), other.toLowerCase()].sort((a, b) => a.length - b.length)
  return short !== '' && long.startsWith(short)
}

/**
 * Call when another screen opens. Marks shared data that isn't visible as stale, so its next use refetches it. Skips data that is being
 * fetched, for example by the screen's loader, because that will be current.
 */
export const markSharedDataStale = (): void =>
  void queryClient.invalidateQueries({
    type: 'inactive',
    fetchStatus: 'idle',
    refetchType: 'none',
    predicate: ({ meta }) => meta?.othersChange === true,
  })
