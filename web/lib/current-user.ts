import { queryOptions, useQuery } from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import { getCurrentUser } from '#contracts/calls/accounts.ts'
import { ApiError } from './api-error.ts'
import { boot } from './boot.ts'
import { call } from './call.ts'
import { setRegion } from './format.ts'
import { queryClient } from './query-client.ts'

function withRegion<User extends CurrentUser | null>(user: User): User {
  setRegion(user?.preferences.region ?? boot.region)
  return user
}

/** Null if signed out (a 401 is a valid response here, not an error). */
export const currentUserOptions = queryOptions({
  queryKey: [getCurrentUser.path],
  queryFn: async ({ signal }): Promise<CurrentUser | null> => {
    try {
      const user = await call(getCurrentUser, {}, { signal })
      const known = queryClient.getQueryData<CurrentUser | null>([getCurrentUser.path])
      // If someone else has signed in in another tab, this page and the text in it still belong to the first person until it reloads.
      return known && known.id !== user.id ? known : withRegion(user)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return withRegion(null)
      throw error
    }
  },
  initialData: withRegion(boot.user),
})

export const useCurrentUser = (): CurrentUser | null => useQuery(currentUserOptions).data

/** Business accounts, and people on a business's team. */
export const isBusinessUser = ({ userType, runsBusiness }: CurrentUser): boolean => userType === 'business' || runsBusiness

/** Refetches the current user. Call after sign-in, sign-up and profile changes. */
export async function refreshCurrentUser(): Promise<CurrentUser | null> {
  return queryClient.fetchQuery({ ...currentUserOptions, staleTime: 0 })
}

export const cacheUser = (user: CurrentUser): void => void queryClient.setQueryData(currentUserOptions.queryKey, withRegion(user))

/** Refetches all other responses when they are next shown, because many depend on the viewer's name, picture and privacy settings. */
export const expireOthers = (): void => {
  const [own] = currentUserOptions.queryKey
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== own, refetchType: 'none' })
}
