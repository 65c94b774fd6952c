import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Favorite, listFavorites } from '../../../contracts/favorites.ts'
import { maxPageSize } from '../../../contracts/pagination.ts'
import { callPage, type ListPage, queryKey } from '../../lib/call.ts'

const firstPage = null as string | null

/** The first page is the call whose answer comes with `/favorites`. Only for signed-in people. */
export const favoritesOptions = infiniteQueryOptions({
  queryKey: queryKey(listFavorites),
  queryFn: ({ pageParam, signal }) => callPage(listFavorites, {}, pageParam, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: ({ next }: ListPage<Favorite>) => next,
})

/** Which businesses wear a filled heart. A list of businesses does not say so, for its answers are the same for everybody. */
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
