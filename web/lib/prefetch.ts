import type { QueryClient, QueryKey } from '@tanstack/react-query'

type Query = { queryKey: QueryKey }

/**
 * For route loaders: starts the queries that the screen shows first, in parallel with its code. Doesn't wait for them, because screens
 * have skeletons and show errors. Does nothing if another screen is shown in place of the page.
 */
export function prefetch({ queryClient, showsPage }: { queryClient: QueryClient; showsPage: boolean }, ...queries: Query[]): void {
  if (!showsPage) return
  for (const query of queries) {
    if ('initialPageParam' in query) void queryClient.prefetchInfiniteQuery(query)
    else void queryClient.prefetchQuery(query)
  }
}
