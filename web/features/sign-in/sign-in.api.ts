import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getSignIn, listSessions } from '../../../contracts/sign-in.ts'
import { call, callPage, queryKey } from '../../lib/call.ts'

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

/** After a change: how one signs in, and where one is signed in, may both be different. */
export async function afterSignInChange(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: signInOptions.queryKey }),
    client.invalidateQueries({ queryKey: sessionsOptions.queryKey }),
  ])
}
