import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { listGrowTasks } from '#contracts/grow-tasks.ts'
import { listHuntActivity, listOwnActivity } from '#contracts/hunt-activity.ts'
import { listHuntComments } from '#contracts/hunt-comments.ts'
import { listHuntShares, suggestPeopleToShareWith } from '#contracts/hunt-shares.ts'
import { getHunt, getHuntSummary, type Hunt, listHunts } from '#contracts/hunts.ts'
import { cacheOffline } from '#web/entities/offline/cache-offline.ts'
import { call, callPage, type ListPage, queryKey } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

const mine = { query: { limit: 50 } }

/** Own and shared hunts, newest first. Available offline. */
export const huntsOptions = cacheOffline(
  infiniteQueryOptions({
    queryKey: queryKey(listHunts, mine),
    queryFn: ({ pageParam, signal }) => callPage(listHunts, mine, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    // Collaborators edit them, too.
    meta: othersChange,
  }),
)

export const huntOptions = (id: string) =>
  cacheOffline(
    queryOptions({
      queryKey: queryKey(getHunt, { params: { id } }),
      queryFn: ({ signal }) => call(getHunt, { params: { id } }, { signal }),
      meta: othersChange,
    }),
  )

export const summaryOptions = cacheOffline(
  queryOptions({
    queryKey: queryKey(getHuntSummary),
    queryFn: ({ signal }) => call(getHuntSummary, {}, { signal }),
    meta: othersChange,
  }),
)

const activityAPage = 10

export const ownActivityOptions = infiniteQueryOptions({
  queryKey: queryKey(listOwnActivity, { query: { limit: activityAPage } }),
  queryFn: ({ pageParam, signal }) => callPage(listOwnActivity, { query: { limit: activityAPage } }, pageParam, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  meta: othersChange,
})

export const huntActivityOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: queryKey(listHuntActivity, { params: { id }, query: { limit: activityAPage } }),
    queryFn: ({ pageParam, signal }) =>
      callPage(listHuntActivity, { params: { id }, query: { limit: activityAPage } }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    meta: othersChange,
  })

export const dueTasksOptions = (until: string) => {
  const input = { query: { until, limit: 100 } }
  return cacheOffline(
    queryOptions({
      queryKey: queryKey(listGrowTasks, input),
      queryFn: ({ signal }) => call(listGrowTasks, input, { signal }),
      meta: othersChange,
    }),
  )
}

export const publicHuntsOptions = (search: string) => {
  const query = { scope: 'public' as const, search }
  return infiniteQueryOptions({
    queryKey: queryKey(listHunts, { query }),
    queryFn: ({ pageParam, signal }) => callPage(listHunts, { query }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    meta: othersChange,
  })
}

export const sharesOptions = (id: string) =>
  queryOptions({
    queryKey: queryKey(listHuntShares, { params: { id } }),
    queryFn: ({ signal }) => call(listHuntShares, { params: { id } }, { signal }),
    staleTime: 0,
  })

export const findPeople = (huntId: string) => (search: string, signal: AbortSignal) =>
  call(suggestPeopleToShareWith, { params: { id: huntId }, query: { search: search.slice(0, 80) } }, { signal })

export const huntCommentsOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: queryKey(listHuntComments, { params: { id } }),
    queryFn: ({ pageParam, signal }) => callPage(listHuntComments, { params: { id } }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    staleTime: 0,
  })

export function showOwnerFollowed(client: QueryClient, ownerId: string, isOwnerFollowed: boolean): void {
  client.setQueriesData<InfiniteData<ListPage<Hunt>>>(
    { queryKey: [listHunts.path] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          items: page.items.map((hunt) => (hunt.owner.id === ownerId ? { ...hunt, isOwnerFollowed } : hunt)),
        })),
      },
  )
}

const isOfHunts = (key: unknown): boolean =>
  typeof key === 'string' && (key.startsWith(listHunts.path) || key.startsWith(listGrowTasks.path))

/** Refetches all hunt data, since counts depend on a hunt's contents. */
export const refreshHunts = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey: [path] }) => isOfHunts(path) })
