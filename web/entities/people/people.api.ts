import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import {
  getProfile,
  listBlockedBusinesses,
  listBlockedPeople,
  listFollowedBusinesses,
  listFollowedPeople,
  listFollowers,
  type PersonInList,
} from '#contracts/people.ts'
import { call, callPage, type ListPage, queryKey } from '#web/lib/call.ts'
import { currentUserOptions } from '#web/lib/current-user.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

export const profileOptions = (id: string) =>
  queryOptions({
    queryKey: queryKey(getProfile, { params: { id } }),
    queryFn: ({ signal }) => call(getProfile, { params: { id } }, { signal }),
  })

export const followersOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: queryKey(listFollowers, { params: { id } }),
    queryFn: ({ pageParam, signal }) => callPage(listFollowers, { params: { id } }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
  })

export const followedPeopleOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: queryKey(listFollowedPeople, { params: { id } }),
    queryFn: ({ pageParam, signal }) => callPage(listFollowedPeople, { params: { id } }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
  })

export const followedBusinessesOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: queryKey(listFollowedBusinesses, { params: { id } }),
    queryFn: ({ pageParam, signal }) => callPage(listFollowedBusinesses, { params: { id } }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
  })

export const blockedPeopleOptions = infiniteQueryOptions({
  queryKey: queryKey(listBlockedPeople),
  queryFn: ({ pageParam, signal }) => callPage(listBlockedPeople, {}, pageParam, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
})

export const blockedBusinessesOptions = infiniteQueryOptions({
  queryKey: queryKey(listBlockedBusinesses),
  queryFn: ({ pageParam, signal }) => callPage(listBlockedBusinesses, {}, pageParam, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
})

type Pages = InfiniteData<ListPage<PersonInList>>

/** Updates the viewer's own following count wherever they see it. */
export function changeOwnFollowingCount(client: QueryClient, by: 1 | -1): void {
  const own = client.setQueryData<CurrentUser | null>(
    currentUserOptions.queryKey,
    (user) => user && { ...user, followingCount: Math.max(0, user.followingCount + by) },
  )
  if (!own) return
  client.setQueryData(
    profileOptions(own.id).queryKey,
    (profile) =>
      profile && (profile.followingCount === null ? profile : { ...profile, followingCount: Math.max(0, profile.followingCount + by) }),
  )
}

/** Updates the viewer's follow state in the profile, all lists of people, and both counts. */
export function showFollowing(client: QueryClient, id: string, isFollowing: boolean): void {
  client.setQueryData(profileOptions(id).queryKey, (profile) => {
    if (!profile || profile.isFollowing === isFollowing) return profile
    const { followersCount } = profile
    return {
      ...profile,
      isFollowing,
      followersCount: followersCount === null ? null : Math.max(0, followersCount + (isFollowing ? 1 : -1)),
    }
  })
  for (const { path } of [listFollowers, listFollowedPeople]) {
    client.setQueriesData<Pages>(
      { queryKey: [path] },
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            items: page.items.map((person) => (person.id === id ? { ...person, isFollowing } : person)),
          })),
        },
    )
  }
  changeOwnFollowingCount(client, isFollowing ? 1 : -1)
}
