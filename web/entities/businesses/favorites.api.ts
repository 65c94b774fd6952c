import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listFavorites } from '#contracts/calls/favorites.ts'
import type { Favorite } from '#contracts/favorites.ts'
import { maxPageSize } from '#contracts/limits.ts'
import { callPage, type ListPage, pagesOptions, refreshCalls } from '#web/lib/call.ts'

/** `/favorites` embeds the first page. Only for signed-in people. */
export const favoritesOptions = pagesOptions(listFavorites, {})

/** Ids of favorite businesses. Business lists don't include this, because their responses are shared by all viewers. */
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
