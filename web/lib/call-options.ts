import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Endpoint, InputOf } from '#contracts/endpoint.ts'
import { call, callPage, queryKey } from './call.ts'

/** A query that makes a call. */
export const callOptions = <E extends Endpoint>(endpoint: E, input: InputOf<E>) =>
  queryOptions({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })

/** A query for the pages of a list. */
export const pagesOptions = <E extends Endpoint>(endpoint: E, input: InputOf<E>) =>
  infiniteQueryOptions({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ pageParam, signal }) => callPage(endpoint, input, pageParam, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

/** Refetches what is on screen of these calls, with any input, and marks the rest as stale. */
export async function refreshCalls(client: QueryClient, endpoints: readonly Pick<Endpoint, 'path'>[]): Promise<void> {
  await Promise.all(endpoints.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
}

/** Marks these calls as stale, to be refetched when they are next shown. */
export function expireCalls(client: QueryClient, endpoints: readonly Pick<Endpoint, 'path'>[]): void {
  for (const { path } of endpoints) void client.invalidateQueries({ queryKey: [path], refetchType: 'none' })
}
