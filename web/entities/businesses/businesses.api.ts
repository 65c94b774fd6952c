import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Business } from '#contracts/businesses.ts'
import { getBusiness, getBusinessStatus, listBusinesses, listMyBusinesses } from '#contracts/calls/businesses.ts'
import { listFavorites } from '#contracts/calls/favorites.ts'
import { getPageExtras } from '#contracts/calls/page-extras.ts'
import { listBusinessPosts } from '#contracts/calls/posts.ts'
import type { InputOf, ResponseOf } from '#contracts/endpoint.ts'
import type { Favorite } from '#contracts/favorites.endpoints.ts'
import { maxPageSize } from '#contracts/limits.ts'
import { callOptions, callPage, type ListPage, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { cachedForBack, othersChange } from '#web/lib/query-client.ts'

export type BusinessListQuery = NonNullable<InputOf<typeof listBusinesses>['query']>

/** Businesses, page by page. `/discover` embeds the response of the empty query. */
export const businessListOptions = (query: BusinessListQuery = {}) => ({ ...pagesOptions(listBusinesses, { query }), ...cachedForBack })

/** By ID or slug, as in the page's address. */
export const businessOptions = (idOrSlug: string) => callOptions(getBusiness, { params: { id: idOrSlug } })

/** Photos, video and social links. Keyed by the ID or slug in the page's address, because they come with the page. */
export const pageExtrasOptions = (idOrSlug: string) => callOptions(getPageExtras, { params: { id: idOrSlug } })

/** Only for signed-in people. Keyed by ID, so that updates find it whatever the address was. */
export const businessStatusOptions = (businessId: string) => callOptions(getBusinessStatus, { params: { id: businessId } })

/** Businesses the viewer can post and comment as. Only for signed-in people. */
export const myBusinessesOptions = {
  ...callOptions(listMyBusinesses, {}),
  // Moderators verify licenses, and owners invite people to teams.
  meta: othersChange,
}

/** Labels that tell apart the viewer's businesses of the same name, for responses that contain only the name. */
export function useBusinessLabels(enabled = true): (business: { id: string; name: string }) => string {
  const { data } = useQuery({ ...myBusinessesOptions, enabled })
  return ({ id, name }) => data?.find((own) => own.id === id)?.label ?? name
}

export const postsOptions = (businessId: string) => pagesOptions(listBusinessPosts, { params: { id: businessId } })

/** Call after a business's page was edited. */
export function businessHasChanged(client: QueryClient, business: Business): void {
  for (const name of [business.slug, business.id]) client.setQueryData(businessOptions(name).queryKey, business)
  void refreshCalls(client, [listMyBusinesses, listBusinesses])
}

/** The viewer's relation to the business, shown before the server knows it. */
export const cacheBusinessStatus = (client: QueryClient, businessId: string, change: Partial<ResponseOf<typeof getBusinessStatus>>): void =>
  void client.setQueryData(businessStatusOptions(businessId).queryKey, (status) => status && { ...status, ...change })

/** Call after the viewer's role in a business began, changed or ended. */
export async function refreshMyBusinesses(client: QueryClient): Promise<void> {
  // The account states whether the person runs a business.
  await Promise.all([refreshCalls(client, [listMyBusinesses]), refreshCurrentUser()])
}

/** The viewer's relation to the business: follower, subscriber and so on. */
export const refreshBusinessStatus = (client: QueryClient, businessId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: businessStatusOptions(businessId).queryKey })

export const refreshBusiness = (client: QueryClient, idOrSlug: string): Promise<void> =>
  client.invalidateQueries({ queryKey: businessOptions(idOrSlug).queryKey })

/** Call after a change to figures that pages and lists show. */
export const refreshShownBusinesses = (client: QueryClient): Promise<void> => refreshCalls(client, [getBusiness, listBusinesses])

/** `/favorites` embeds the first page. Only for signed-in people. */
export const favoritesOptions = pagesOptions(listFavorites, {})

/** IDs of favorite businesses. Business lists don't include this, because their responses are shared by all viewers. */
export const favoriteIdsOptions = queryOptions({
  queryKey: ['favorite-ids'],
  queryFn: async ({ signal }): Promise<string[]> => {
    const ids: string[] = []
    let next: string | null = null
    do {
      const page: ListPage<Favorite> = await callPage(listFavorites, { query: { limit: maxPageSize } }, next, { signal })
      for (const { business } of page.items) ids.push(business.id)
      next = page.next
    } while (next)
    return ids
  },
})

export const refreshFavorites = (client: QueryClient): Promise<void> => refreshCalls(client, [listFavorites])
