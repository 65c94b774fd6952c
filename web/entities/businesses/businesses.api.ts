import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getBusiness, getBusinessStatus, listBusinesses, listMyBusinesses } from '#contracts/businesses.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import { getPageExtras } from '#contracts/page-extras.ts'
import { listBusinessPosts } from '#contracts/posts.ts'
import { call, callPage, type ListPage, queryKey } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

/** Cache time of an inactive list in milliseconds, so that Back restores its pages and scroll position. */
const listCacheMs = 30 * 60_000

export type BusinessListQuery = NonNullable<InputOf<typeof listBusinesses>['query']>

/** Businesses, page by page. `/discover` embeds the response of the empty query. */
export const businessListOptions = (query: BusinessListQuery = {}) =>
  infiniteQueryOptions({
    queryKey: queryKey(listBusinesses, { query }),
    queryFn: ({ pageParam, signal }) => callPage(listBusinesses, { query }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    gcTime: listCacheMs,
  })

/** By id or slug, as in the page's address. */
export const businessOptions = (idOrSlug: string) =>
  queryOptions({
    queryKey: queryKey(getBusiness, { params: { id: idOrSlug } }),
    queryFn: ({ signal }) => call(getBusiness, { params: { id: idOrSlug } }, { signal }),
  })

/** Photos, video and social links. Keyed by the id or slug in the page's address, because they come with the page. */
export const pageExtrasOptions = (idOrSlug: string) =>
  queryOptions({
    queryKey: queryKey(getPageExtras, { params: { id: idOrSlug } }),
    queryFn: ({ signal }) => call(getPageExtras, { params: { id: idOrSlug } }, { signal }),
  })

/** Only for signed-in people. Keyed by id, so that updates find it whatever the address was. */
export const businessStatusOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getBusinessStatus, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(getBusinessStatus, { params: { id: businessId } }, { signal }),
  })

/** Businesses the viewer can post and comment as. Only for signed-in people. */
export const myBusinessesOptions = queryOptions({
  queryKey: queryKey(listMyBusinesses),
  queryFn: ({ signal }) => call(listMyBusinesses, {}, { signal }),
  // Moderators verify licenses, and owners invite people to teams.
  meta: othersChange,
})

export const postsOptions = (businessId: string) =>
  infiniteQueryOptions({
    queryKey: queryKey(listBusinessPosts, { params: { id: businessId } }),
    queryFn: ({ pageParam, signal }) => callPage(listBusinessPosts, { params: { id: businessId } }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
  })
