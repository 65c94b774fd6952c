import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getSignIn, listSessions } from '#contracts/sign-in.ts'
import { call, callPage, queryKey } from '#web/lib/call.ts'

export const signInOptions = queryOptions({
  queryKey: queryKey(getSignIn),
  queryFn: ({ signal }) => call(getSignIn, {}, { signal }),
})

export const sessionsOptions = infiniteQueryOptions({
  queryKey: queryKey(listSessions),
  queryFn: ({ pageParam, signal }) => callPage(listSessions, {}, pageParam, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
})

/** Call after a change: both sign-in methods and sessions may differ. */
export async function afterSignInChange(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: signInOptions.queryKey }),
    client.invalidateQueries({ queryKey: sessionsOptions.queryKey }),
  ])
}
