import type { QueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import {
  getProfile,
  listBlockedBusinesses,
  listBlockedPeople,
  listFollowedBusinesses,
  listFollowedPeople,
  listFollowers,
  listMutedBusinesses,
  listMutedPeople,
} from '#contracts/calls/people.ts'
import { getFeed } from '#contracts/calls/posts.ts'
import type { PersonInList } from '#contracts/people.ts'
import { callOptions, changeItems, expireCalls, pagesOptions } from '#web/lib/call.ts'
import { currentUserOptions } from '#web/lib/current-user.ts'
import { othersChange } from '#web/lib/query-client.ts'

export const profileOptions = (id: string) => ({ ...callOptions(getProfile, { params: { id } }), meta: othersChange })

export const followersOptions = (id: string) => ({ ...pagesOptions(listFollowers, { params: { id } }), meta: othersChange })

export const followedPeopleOptions = (id: string) => ({ ...pagesOptions(listFollowedPeople, { params: { id } }), meta: othersChange })

export const followedBusinessesOptions = (id: string) => ({
  ...pagesOptions(listFollowedBusinesses, { params: { id } }),
  meta: othersChange,
})

export const blockedPeopleOptions = pagesOptions(listBlockedPeople, {})

export const blockedBusinessesOptions = pagesOptions(listBlockedBusinesses, {})

export const mutedPeopleOptions = pagesOptions(listMutedPeople, {})

export const mutedBusinessesOptions = pagesOptions(listMutedBusinesses, {})

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
    changeItems<PersonInList>(client, { queryKey: [path] }, (people) =>
      people.map((person) => (person.id === id ? { ...person, isFollowing } : person)),
    )
  }
  changeOwnFollowingCount(client, isFollowing ? 1 : -1)
}

/** Call after following or unfollowing. The person remains in visible lists with the toggled button, so a mistake is easy to revert. */
export const expireFollowed = (client: QueryClient): void => expireCalls(client, [listFollowers, listFollowedPeople, getFeed])
