import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { PersonInList, Profile } from '#contracts/people.ts'
import { currentUserOptions } from '#web/lib/current-user.ts'
import { markSharedDataStale, queryClient } from '#web/lib/query-client.ts'
import {
  changeOwnFollowingCount,
  followedBusinessesOptions,
  followedPeopleOptions,
  followersOptions,
  profileOptions,
  showFollowing,
} from './people.api.ts'

const profile = (id: string, changes: Partial<Profile> = {}) => ({ id, isFollowing: false, followersCount: 7, ...changes }) as Profile
const person = (id: string) => ({ id, isFollowing: false }) as PersonInList
const pages = (...lists: PersonInList[][]) => ({ pages: lists.map((items) => ({ items, next: null })), pageParams: lists.map(() => null) })

let client: QueryClient
const own = () => client.getQueryData(currentUserOptions.queryKey)?.followingCount
beforeEach(() => {
  client = new QueryClient()
  client.setQueryData(currentUserOptions.queryKey, { id: 'me', followingCount: 2 } as CurrentUser)
  client.setQueryData(profileOptions('a').queryKey, profile('a'))
})

test('updates the profile, every list, and both counts on follow', () => {
  client.setQueryData(followersOptions('b').queryKey, pages([person('c')], [person('a')]))
  client.setQueryData(followedPeopleOptions('d').queryKey, pages([person('a')]))
  client.setQueryData(profileOptions('me').queryKey, profile('me', { followingCount: 2 }))
  showFollowing(client, 'a', true)
  expect(client.getQueryData(profileOptions('a').queryKey)).toMatchObject({ isFollowing: true, followersCount: 8 })
  const followers = client.getQueryData(followersOptions('b').queryKey)?.pages.flatMap(({ items }) => items)
  expect(followers?.map(({ isFollowing }) => isFollowing)).toEqual([false, true])
  expect(client.getQueryData(followedPeopleOptions('d').queryKey)?.pages[0]?.items[0]?.isFollowing).toBe(true)
  expect(own()).toBe(3)
  expect(client.getQueryData(profileOptions('me').queryKey)?.followingCount).toBe(3)
})

test('restores the profile and the counts on unfollow', () => {
  showFollowing(client, 'a', true)
  showFollowing(client, 'a', false)
  expect(client.getQueryData(profileOptions('a').queryKey)).toEqual(profile('a'))
  expect(own()).toBe(2)
})

test('keeps hidden counts null', () => {
  client.setQueryData(profileOptions('a').queryKey, profile('a', { followersCount: null }))
  showFollowing(client, 'a', true)
  expect(client.getQueryData(profileOptions('a').queryKey)?.followersCount).toBeNull()
})

test('never lowers a count below zero, and counts nothing for visitors', () => {
  for (let times = 0; times < 3; times++) changeOwnFollowingCount(client, -1)
  expect(own()).toBe(0)
  client.setQueryData(currentUserOptions.queryKey, null)
  changeOwnFollowingCount(client, 1)
  expect(client.getQueryData(currentUserOptions.queryKey)).toBeNull()
})

test('loads profiles and follow lists again the next time their screens open', async () => {
  const options = [profileOptions('b'), followersOptions('b'), followedPeopleOptions('b'), followedBusinessesOptions('b')]
  for (const each of options) {
    const query = queryClient.getQueryCache().build(queryClient, each as never)
    query.setData(profile('b') as never)
  }
  markSharedDataStale()
  expect(options.map(({ queryKey }) => queryClient.getQueryState(queryKey)?.isInvalidated)).toEqual([true, true, true, true])
  queryClient.clear()
})
