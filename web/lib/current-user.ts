import { queryOptions, useQuery } from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import { getCurrentUser } from '#contracts/calls/accounts.ts'
import { ApiError } from './api-error.ts'
import { boot } from './boot.ts'
import { call } from './call.ts'
import { setRegion } from './format.ts'
import { queryClient } from './query-client.ts'

/** Sets the format of dates and numbers to the person's region, or to the one the server derived from the browser's language. */
function withRegion<User extends CurrentUser | null>(user: User): User {
  setRegion(user?.preferences.region ?? boot.region)
  return user
}

/** The signed-in person; null if signed out (a 401 is a valid response here, not an error). */
export const currentUserOptions = queryOptions({
  queryKey: [getCurrentUser.path],
  queryFn: async ({ signal }): Promise<CurrentUser | null> => {
    try {
      return withRegion(await call(getCurrentUser, {}, { signal }))
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return withRegion(null)
      throw error
    }
  },
  // Embedded in the page.
  initialData: withRegion(boot.user),
})

export const useCurrentUser = (): CurrentUser | null => useQuery(currentUserOptions).data

/** Business accounts, and people on the team of a business. */
export const isOfTrade = ({ userType, runsBusiness }: CurrentUser): boolean => userType === 'business' || runsBusiness

/** Call after sign-in, sign-up and profile changes, which may change everything the page has loaded. */
export async function refreshCurrentUser(): Promise<CurrentUser | null> {
  return queryClient.fetchQuery({ ...currentUserOptions, staleTime: 0 })
}

/** Updates the cache with a response's user. */
export const cacheUser = (user: CurrentUser): void => void queryClient.setQueryData(currentUserOptions.queryKey, withRegion(user))

/** The viewer's name, picture and privacy are part of many cached responses, so all are refetched when next shown. */
export const expireOthers = (): void => {
  const [own] = currentUserOptions.queryKey
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== own, refetchType: 'none' })
}
