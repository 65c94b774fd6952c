import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getBusiness, getBusinessStatus, listBusinesses, listMyBusinesses } from '../../../contracts/businesses.ts'
import type { InputOf } from '../../../contracts/endpoint.ts'
import { listBusinessPosts } from '../../../contracts/posts.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'
import { othersChange } from '../../lib/query-client.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

/** How long a list that was left keeps its pages, in milliseconds: Back finds it as it was, at the same place. */
const keepListFor = 30 * 60_000

export type BusinessListQuery = NonNullable<InputOf<typeof listBusinesses>['query']>

/** Businesses, page by page. The empty query is the call whose answer comes with `/discover`. */
export const businessListOptions = (query: BusinessListQuery = {}) =>
  infiniteQueryOptions({
    queryKey: queryKey(listBusinesses, { query }),
    queryFn: ({ pageParam, signal }) => callPage(listBusinesses, { query }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    gcTime: keepListFor,
  })

/** By id or slug, as it stands in the page's address. */
export const businessOptions = (idOrSlug: string) =>
  queryOptions({
    queryKey: queryKey(getBusiness, { params: { id: idOrSlug } }),
    queryFn: ({ signal }) => call(getBusiness, { params: { id: idOrSlug } }, { signal }),
  })

/** Only for signed-in people; always under the id, so that a change finds it whatever the address was. */
export const businessStatusOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getBusinessStatus, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(getBusinessStatus, { params: { id: businessId } }, { signal }),
  })

/** The businesses one can post and comment as. Only for signed-in people. */
export const myBusinessesOptions = queryOptions({
  queryKey: queryKey(listMyBusinesses),
  queryFn: ({ signal }) => call(listMyBusinesses, {}, { signal }),
  // Moderators verify licenses, and owners invite to teams.
  meta: othersChange,
})

export const postsOptions = (businessId: string) =>
  infiniteQueryOptions({
    queryKey: queryKey(listBusinessPosts, { params: { id: businessId } }),
    queryFn: ({ pageParam, signal }) => callPage(listBusinessPosts, { params: { id: businessId } }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
  })
