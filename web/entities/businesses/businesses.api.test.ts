import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Business, BusinessSummary } from '#contracts/businesses.ts'
import { listFeatured, listTrending } from '#contracts/calls/home.ts'
import type { Favorite } from '#contracts/favorites.endpoints.ts'
import { callOptions } from '#web/lib/call.ts'
import { markSharedDataStale, queryClient } from '#web/lib/query-client.ts'

import {
  businessHasChanged,
  businessListOptions,
  businessOptions,
  businessStatusOptions,
  changeBusiness,
  changeSubscriberCount,
  favoriteIdsOptions,
  favoritesOptions,
  postsOptions,
  putFavoriteBack,
  setFavorited,
  setSubscribed,
  takeFavorite,
} from './businesses.api.ts'

const business = (id: string, subscriberCount = 0) => ({ id, slug: `slug-${id}`, subscriberCount }) as Business
const favorite = (id: string): Favorite => ({ id: `favorite-${id}`, business: business(id), createdAt: '2026-11-21T09:00:00.000Z' })
const pages = <Item>(...lists: Item[][]) => ({ pages: lists.map((items) => ({ items, next: null })), pageParams: lists.map(() => null) })

let client: QueryClient
beforeEach(() => {
  client = new QueryClient()
})
afterEach(() => vi.unstubAllGlobals())

const favoriteIds = () => client.getQueryData(favoritesOptions.queryKey)?.pages.map(({ items }) => items.map((each) => each.business.id))

test('updates subscriber counts on the page, in every list, and in the favorites', () => {
  client.setQueryData(businessOptions('slug-a').queryKey, business('a', 4))
  client.setQueryData(businessListOptions().queryKey, pages<BusinessSummary>([business('b', 9)], [business('a', 4)]))
  client.setQueryData(businessListOptions({ near: 'Denver, CO' }).queryKey, pages<BusinessSummary>([business('a', 4)]))
  client.setQueryData(favoritesOptions.queryKey, pages([favorite('a')]))
  changeSubscriberCount(client, 'a', (count) => count + 1)
  expect(client.getQueryData(businessOptions('slug-a').queryKey)?.subscriberCount).toBe(5)
  const first = client.getQueryData(businessListOptions().queryKey)?.pages.flatMap(({ items }) => items)
  expect(first?.map(({ subscriberCount }) => subscriberCount)).toEqual([9, 5])
  expect(client.getQueryData(businessListOptions({ near: 'Denver, CO' }).queryKey)?.pages[0]?.items[0]?.subscriberCount).toBe(5)
  expect(client.getQueryData(favoritesOptions.queryKey)?.pages[0]?.items[0]?.business.subscriberCount).toBe(1)
})

test('updates ratings and subscriber counts in the lists on Home', () => {
  const shown = { ...business('a', 4), isNearby: true }
  const trending = callOptions(listTrending, { query: { near: 'Denver, CO' } }).queryKey
  const featured = callOptions(listFeatured, { query: {} }).queryKey
  client.setQueryData(trending, [
    { ...shown, reason: 'New this week' },
    { ...shown, id: 'b', reason: '' },
  ])
  client.setQueryData(featured, [shown])
  changeBusiness(client, 'a', () => ({ averageRating: 4.5, totalRatings: 12 }))
  changeSubscriberCount(client, 'a', (count) => count + 1)
  const changed = { averageRating: 4.5, totalRatings: 12, subscriberCount: 5 }
  expect(client.getQueryData(trending)).toMatchObject([
    { ...changed, reason: 'New this week' },
    { id: 'b', subscriberCount: 4 },
  ])
  expect(client.getQueryData(featured)).toMatchObject([changed])
})

test('refetches the lists on Home after a business is edited', () => {
  const featured = callOptions(listFeatured, { query: {} }).queryKey
  client.setQueryData(featured, [{ ...business('a'), isNearby: true }])
  businessHasChanged(client, business('a'))
  expect(client.getQueryState(featured)?.isInvalidated).toBe(true)
})

test('never lowers a subscriber count below zero', () => {
  client.setQueryData(businessOptions('slug-a').queryKey, business('a', 0))
  changeSubscriberCount(client, 'a', (count) => count - 1)
  expect(client.getQueryData(businessOptions('slug-a').queryKey)?.subscriberCount).toBe(0)
})

test('sets the favorite in the status and the list of IDs, idempotently', () => {
  const status = businessStatusOptions('a').queryKey
  client.setQueryData(status, { isSubscribed: true, isFavorited: false, isFollowing: true, isBlocked: false, isMuted: false, role: null })
  client.setQueryData(favoriteIdsOptions.queryKey, ['b'])
  setFavorited(client, 'a', true)
  setFavorited(client, 'a', true)
  expect(client.getQueryData(favoriteIdsOptions.queryKey)).toEqual(['a', 'b'])
  setFavorited(client, 'b', false)
  setSubscribed(client, 'a', false)
  expect(client.getQueryData(favoriteIdsOptions.queryKey)).toEqual(['a'])
  expect(client.getQueryData(status)).toEqual({
    isSubscribed: false,
    isFavorited: true,
    isFollowing: true,
    isBlocked: false,
    isMuted: false,
    role: null,
  })
})

test('leaves unfetched data undefined', () => {
  setFavorited(client, 'a', true)
  setSubscribed(client, 'a', true)
  expect(client.getQueryData(favoriteIdsOptions.queryKey)).toBeUndefined()
  expect(client.getQueryData(businessStatusOptions('a').queryKey)).toBeUndefined()
  expect(takeFavorite(client, 'a')).toBeNull()
})

test('removes a favorite from its page of the list and restores it in place', () => {
  client.setQueryData(favoritesOptions.queryKey, pages([favorite('a'), favorite('b')], [favorite('c'), favorite('d'), favorite('e')]))
  const place = takeFavorite(client, 'd')
  expect(favoriteIds()).toEqual([
    ['a', 'b'],
    ['c', 'e'],
  ])
  putFavoriteBack(client, place!)
  putFavoriteBack(client, place!)
  expect(favoriteIds()).toEqual([
    ['a', 'b'],
    ['c', 'd', 'e'],
  ])
})

test('restores a favorite even if its page of the list was removed', () => {
  client.setQueryData(favoritesOptions.queryKey, pages([favorite('a')], [favorite('b')]))
  const place = takeFavorite(client, 'b')
  client.setQueryData(favoritesOptions.queryKey, pages([favorite('a')]))
  putFavoriteBack(client, place!)
  expect(favoriteIds()).toEqual([['b', 'a']])
})

test('keeps a favorite’s removal or restoration when the list finishes loading', async () => {
  for (const isRestored of [false, true]) {
    const held = Promise.withResolvers<Response>()
    vi.stubGlobal('fetch', () => held.promise)
    client.setQueryData(favoritesOptions.queryKey, pages([favorite('a'), favorite('b')]))
    const loading = client.fetchInfiniteQuery({ ...favoritesOptions, staleTime: 0 })
    const place = takeFavorite(client, 'a')
    if (isRestored) putFavoriteBack(client, place!)
    held.resolve(Response.json([favorite('a'), favorite('b')]))
    await loading
    expect(favoriteIds()).toEqual([isRestored ? ['a', 'b'] : ['b']])
  }
})

test('fetches the stars and new posts of a business when its page is opened again', () => {
  const all = [businessOptions('slug-a'), postsOptions('a')]
  for (const options of all)
    queryClient
      .getQueryCache()
      .build(queryClient, options as never)
      .setData({ pages: [], pageParams: [] } as never)
  markSharedDataStale()
  expect(all.map(({ queryKey }) => queryClient.getQueryState(queryKey)?.isInvalidated)).toEqual([true, true])
  queryClient.clear()
})
