import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'

type Query = { queryKey: QueryKey }
type Loading = { queryClient: QueryClient; showsPage: boolean }

/**
 * For route loaders. The queries run in parallel with the screen's code. Doesn't wait for them, because screens have skeletons and show
 * errors. Does nothing if another screen replaces the page.
 */
export function prefetch({ queryClient, showsPage }: Loading, ...queries: Query[]): void {
  if (!showsPage) return
  for (const query of queries) {
    if ('initialPageParam' in query) void queryClient.prefetchInfiniteQuery(query)
    else void queryClient.prefetchQuery(query)
  }
}

/** Also starts the queries that depend on the result of `query`, once it arrives. */
export function prefetchThen<Data, Key extends QueryKey>(
  context: Loading,
  query: FetchQueryOptions<Data, Error, Data, Key>,
  dependent: (data: Data) => Query[],
): void {
  if (!context.showsPage) return
  context.queryClient.fetchQuery(query).then(
    (data) => prefetch(context, ...dependent(data)),
    () => undefined,
  )
}
