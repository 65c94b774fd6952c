import { type InfiniteData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Business, BusinessSummary } from '#contracts/businesses.ts'
import { getBusiness, getBusinessStatus, listBusinesses, listMyBusinesses } from '#contracts/calls/businesses.ts'
import { listFavorites } from '#contracts/calls/favorites.ts'
import { listFeatured, listTrending } from '#contracts/calls/home.ts'
import { getPageExtras } from '#contracts/calls/page-extras.ts'
import { listBlockedBusinesses, listFollowedBusinesses } from '#contracts/calls/people.ts'
import { listBusinessPosts } from '#contracts/calls/posts.ts'
import type { InputOf, ResponseOf } from '#contracts/endpoint.ts'
import type { Favorite } from '#contracts/favorites.endpoints.ts'
import { maxPageSize } from '#contracts/limits.ts'
import { callOptions, callPage, changeCached, changeItems, everyPage, type ListPage, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { cachedForBack, othersChange } from '#web/lib/query-client.ts'

export type BusinessListQuery = NonNullable<InputOf<typeof listBusinesses>['query']>

/** `/discover` embeds the response to the default query, which has the viewer's place if it's known, and is empty otherwise. */
export const businessListOptions = (query: BusinessListQuery = {}) => ({ ...pagesOptions(listBusinesses, { query }), ...cachedForBack })

export const businessOptions = (idOrSlug: string) => ({ ...callOptions(getBusiness, { params: { id: idOrSlug } }), meta: othersChange })

/** The page embeds these, keyed by the ID or slug in its address. */
export const pageExtrasOptions = (idOrSlug: string) => callOptions(getPageExtras, { params: { id: idOrSlug } })

/** Requires a signed-in viewer. Keyed by ID, even if the page's address has the slug. */
export const businessStatusOptions = (businessId: string) => callOptions(getBusinessStatus, { params: { id: businessId } })

/** Businesses that the viewer can post and comment as. Requires a signed-in viewer. */
export const myBusinessesOptions = {
  ...callOptions(listMyBusinesses, {}),
  meta: othersChange,
}

/** Distinguishes the viewer's businesses of the same name, for responses that include only the name. */
export function useBusinessLabels(enabled = true): (business: { id: string; name: string }) => string {
  const { data } = useQuery({ ...myBusinessesOptions, enabled })
  return ({ id, name }) => data?.find((own) => own.id === id)?.label ?? name
}

export const postsOptions = (businessId: string) => ({
  ...pagesOptions(listBusinessPosts, { params: { id: businessId } }),
  meta: othersChange,
})

/** The calls for Home's lists, which return an array instead of pages. */
const homeLists = [listTrending, listFeatured]

export function businessHasChanged(client: QueryClient, business: Business): void {
  for (const name of [business.slug, business.id]) client.setQueryData(businessOptions(name).queryKey, business)
  void refreshCalls(client, [listMyBusinesses, listBusinesses, ...homeLists])
}

export const cacheBusinessStatus = (client: QueryClient, businessId: string, change: Partial<ResponseOf<typeof getBusinessStatus>>): void =>
  void client.setQueryData(businessStatusOptions(businessId).queryKey, (status) => status && { ...status, ...change })

/** Call after the viewer's role in a business begins, changes or ends. */
export async function refreshMyBusinesses(client: QueryClient): Promise<void> {
  // Refetch the current user, too, which includes whether the person runs a business.
  await Promise.all([refreshCalls(client, [listMyBusinesses]), refreshCurrentUser()])
}

export const refreshBusinessStatus = (client: QueryClient, businessId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: businessStatusOptions(businessId).queryKey })

export const refreshBusiness = (client: QueryClient, idOrSlug: string): Promise<void> =>
  client.invalidateQueries({ queryKey: businessOptions(idOrSlug).queryKey })

/** Call after changing a figure that pages and lists show, such as the subscriber count. */
export const refreshShownBusinesses = (client: QueryClient): Promise<void> =>
  refreshCalls(client, [getBusiness, listBusinesses, ...homeLists])

/** `/favorites` embeds the first page. Requires a signed-in viewer. */
export const favoritesOptions = pagesOptions(listFavorites, {})

/** Business lists don't mark favorites, because all viewers share their responses. */
export const favoriteIdsOptions = queryOptions({
  queryKey: ['favorite-ids'],
  queryFn: async ({ signal }): Promise<string[]> => {
    const favorites = await everyPage((next) => callPage(listFavorites, { query: { limit: maxPageSize } }, next, { signal }))
    return favorites.map(({ business }) => business.id)
  },
})

export const refreshFavorites = (client: QueryClient): Promise<void> => refreshCalls(client, [listFavorites])

/* The specification's defaults never let a query go stale, so changing a business updates the cached pages and lists that show it. */

/** `change` receives what each cached response currently shows. */
export function changeBusiness(
  client: QueryClient,
  businessId: string,
  change: (business: BusinessSummary) => Partial<BusinessSummary>,
): void {
  const apply = <B extends BusinessSummary>(business: B): B =>
    business.id === businessId ? { ...business, ...change(business) } : business
  changeCached<Business>(client, { queryKey: [getBusiness.path] }, apply)
  for (const { path } of [listBusinesses, listFollowedBusinesses, listBlockedBusinesses]) {
    changeItems<BusinessSummary>(client, { queryKey: [path] }, (items) => items.map(apply))
  }
  for (const { path } of homeLists) changeCached<BusinessSummary[]>(client, { queryKey: [path] }, (items) => items.map(apply))
  changeItems<Favorite>(client, { queryKey: [listFavorites.path] }, (items) =>
    items.map((favorite) => ({ ...favorite, business: apply(favorite.business) })),
  )
}

/** `change` receives the count that each cached response currently shows. */
export function changeSubscriberCount(client: QueryClient, businessId: string, change: (count: number) => number): void {
  changeBusiness(client, businessId, ({ subscriberCount }) => ({ subscriberCount: Math.max(0, change(subscriberCount)) }))
}

export function setSubscribed(client: QueryClient, businessId: string, isSubscribed: boolean): void {
  client.setQueryData(businessStatusOptions(businessId).queryKey, (status) => status && { ...status, isSubscribed })
}

export function setFavorited(client: QueryClient, businessId: string, isFavorited: boolean): void {
  client.setQueryData(businessStatusOptions(businessId).queryKey, (status) => status && { ...status, isFavorited })
  changeCached<string[]>(client, { queryKey: favoriteIdsOptions.queryKey }, (ids) => {
    if (ids.includes(businessId) === isFavorited) return ids
    return isFavorited ? [businessId, ...ids] : ids.filter((id) => id !== businessId)
  })
}

/** Undo restores the favorite at its old position. */
export type FavoritePlace = { favorite: Favorite; page: number; index: number }

export function takeFavorite(client: QueryClient, businessId: string): FavoritePlace | null {
  const pages = client.getQueryData(favoritesOptions.queryKey)?.pages ?? []
  const isIt = ({ business }: Favorite) => business.id === businessId
  changeItems<Favorite>(client, { queryKey: favoritesOptions.queryKey }, (items) => items.filter((favorite) => !isIt(favorite)))
  for (const [page, { items }] of pages.entries()) {
    const index = items.findIndex(isIt)
    const favorite = items[index]
    if (favorite) return { favorite, page, index }
  }
  return null
}

export function putFavoriteBack(client: QueryClient, { favorite, page, index }: FavoritePlace): void {
  changeCached<InfiniteData<ListPage<Favorite>>>(client, { queryKey: favoritesOptions.queryKey }, (data) => {
    if (data.pages.some(({ items }) => items.some(({ business }) => business.id === favorite.business.id))) return data
    const at = Math.min(page, data.pages.length - 1)
    return { ...data, pages: data.pages.map((each, i) => (i === at ? { ...each, items: each.items.toSpliced(index, 0, favorite) } : each)) }
  })
}
