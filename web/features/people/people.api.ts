import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  getProfile,
  listBlockedBusinesses,
  listBlockedPeople,
  listFollowedBusinesses,
  listFollowedPeople,
  listFollowers,
} from '../../../contracts/people.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'

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
