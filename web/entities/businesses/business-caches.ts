import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Business, BusinessSummary } from '#contracts/businesses.ts'
import { getBusiness, listBusinesses } from '#contracts/calls/businesses.ts'
import { listFavorites } from '#contracts/calls/favorites.ts'
import { listBlockedBusinesses, listFollowedBusinesses } from '#contracts/calls/people.ts'
import type { Favorite } from '#contracts/favorites.endpoints.ts'
import type { ListPage } from '#web/lib/call.ts'
import { businessStatusOptions, favoriteIdsOptions, favoritesOptions } from './businesses.api.ts'

/*
 * Queries never go stale by themselves (the specification's defaults), so changing a business updates every cached response that
 * shows it.
 */

type Pages<Item> = InfiniteData<ListPage<Item>>

function mapItems<Item>(data: Pages<Item> | undefined, change: (items: Item[]) => Item[]): Pages<Item> | undefined {
  return data && { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items) })) }
}

/** Updates a business in all cached responses. `change` receives it as currently shown. */
export function changeBusiness(
  client: QueryClient,
  businessId: string,
  change: (business: BusinessSummary) => Partial<BusinessSummary>,
): void {
  const apply = <B extends BusinessSummary>(business: B): B =>
    business.id === businessId ? { ...business, ...change(business) } : business
  client.setQueriesData<Business>({ queryKey: [getBusiness.path] }, (business) => business && apply(business))
  for (const { path } of [listBusinesses, listFollowedBusinesses, listBlockedBusinesses]) {
    client.setQueriesData<Pages<BusinessSummary>>({ queryKey: [path] }, (data) => mapItems(data, (items) => items.map(apply)))
  }
  client.setQueriesData<Pages<Favorite>>({ queryKey: [listFavorites.path] }, (data) =>
    mapItems(data, (items) => items.map((favorite) => ({ ...favorite, business: apply(favorite.business) }))),
  )
}

/** Updates the subscriber count in all cached responses. `change` receives the current count. */
export function changeSubscriberCount(client: QueryClient, businessId: string, change: (count: number) => number): void {
  changeBusiness(client, businessId, ({ subscriberCount }) => ({ subscriberCount: Math.max(0, change(subscriberCount)) }))
}

export function setSubscribed(client: QueryClient, businessId: string, isSubscribed: boolean): void {
  client.setQueryData(businessStatusOptions(businessId).queryKey, (status) => status && { ...status, isSubscribed })
}

/** Updates the heart in all cached responses except the favorites list. */
export function setFavorited(client: QueryClient, businessId: string, isFavorited: boolean): void {
  client.setQueryData(businessStatusOptions(businessId).queryKey, (status) => status && { ...status, isFavorited })
  client.setQueryData(favoriteIdsOptions.queryKey, (ids) => {
    if (!ids || ids.includes(businessId) === isFavorited) return ids
    return isFavorited ? [businessId, ...ids] : ids.filter((id) => id !== businessId)
  })
}

/** Position of a favorite in the list, so that Undo can restore it there. */
export type FavoritePlace = { favorite: Favorite; page: number; index: number }

export function takeFavorite(client: QueryClient, businessId: string): FavoritePlace | null {
  const pages = client.getQueryData(favoritesOptions.queryKey)?.pages ?? []
  for (const [page, { items }] of pages.entries()) {
    const index = items.findIndex(({ business }) => business.id === businessId)
    const favorite = items[index]
    if (!favorite) continue
    client.setQueryData(favoritesOptions.queryKey, (data) => mapItems(data, (all) => all.filter((other) => other !== favorite)))
    return { favorite, page, index }
  }
  return null
}

export function putFavoriteBack(client: QueryClient, { favorite, page, index }: FavoritePlace): void {
  client.setQueryData(favoritesOptions.queryKey, (data) => {
    if (!data || data.pages.some(({ items }) => items.some(({ business }) => business.id === favorite.business.id))) return data
    const at = Math.min(page, data.pages.length - 1)
    return { ...data, pages: data.pages.map((each, i) => (i === at ? { ...each, items: each.items.toSpliced(index, 0, favorite) } : each)) }
  })
}
