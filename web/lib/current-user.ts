// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { queryOptions, useQuery } from '@tanstack/react-query'
import type { CurrentUser } from '../../contracts/accounts.ts'
import { ApiError } from './api-error.ts'
import { boot } from './boot.ts'
import { call } from './call.ts'
import { currentUserCall } from './current-user-call.ts'
import { setRegion } from './format.ts'
import { queryClient } from './query-client.ts'

/** Dates and numbers are written as that person wants them, or as the server wrote them by the browser's language. */
function withRegion<User extends CurrentUser | null>(user: User): User {
  setRegion(user?.preferences.region ?? boot.region)
  return user
}

/** The signed-in person; null when signed out (a 401 is an answer here, not an error). */
export const currentUserOptions = queryOptions({
  queryKey: [currentUserCall.path],
  queryFn: async ({ signal }): Promise<CurrentUser | null> => {
    try {
      return withRegion(await call(currentUserCall, {}, { signal }))
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return withRegion(null)
      throw error
    }
  },
  // The page came with the answer.
  initialData: withRegion(boot.user),
})

export const useCurrentUser = (): CurrentUser | null => useQuery(currentUserOptions).data

/** After sign-in, sign-up and profile changes: everything the page knows may be different now. */
export async function refreshCurrentUser(): Promise<CurrentUser | null> {
  return queryClient.fetchQuery({ ...currentUserOptions, staleTime: 0 })
}

/** A call answered them anew. */
export const keepUser = (user: CurrentUser): void => void queryClient.setQueryData(currentUserOptions.queryKey, withRegion(user))
