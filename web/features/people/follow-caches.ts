import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { listFollowedPeople, listFollowers, type PersonInList } from '../../../contracts/people.ts'
import type { ListPage } from '../../lib/call.ts'
import { currentUserOptions } from '../../lib/current-user.ts'
import { profileOptions } from './people.api.ts'

type Pages = InfiniteData<ListPage<PersonInList>>

/** How many the signed-in person follows, wherever they are shown to themselves. */
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

/** Whether the signed-in person follows somebody: on their profile, in every list of people, and in the counts of both. */
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
