import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { listGrowTasks } from '../../../contracts/grow-tasks.ts'
import { listHuntActivity, listOwnActivity } from '../../../contracts/hunt-activity.ts'
import { listHuntComments } from '../../../contracts/hunt-comments.ts'
import { listHuntShares, suggestPeopleToShareWith } from '../../../contracts/hunt-shares.ts'
import { getHunt, getHuntSummary, type Hunt, listHunts } from '../../../contracts/hunts.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'
import { othersChange } from '../../lib/query-client.ts'
import { keepOffline } from '../offline/keep-offline.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

const mine = { query: { limit: 50 } }

/** Own hunts and those shared with one, newest first; they open without a network. */
export const huntsOptions = keepOffline(
  infiniteQueryOptions({
    queryKey: queryKey(listHunts, mine),
    queryFn: ({ pageParam, signal }) => callPage(listHunts, mine, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    // Partners write in them, too.
    meta: othersChange,
  }),
)

export const huntOptions = (id: string) =>
  keepOffline(
    queryOptions({
      queryKey: queryKey(getHunt, { params: { id } }),
      queryFn: ({ signal }) => call(getHunt, { params: { id } }, { signal }),
      meta: othersChange,
    }),
  )

export const summaryOptions = keepOffline(
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

/** Open tasks that are due on a day or before. */
export const dueTasksOptions = (until: string) => {
  const input = { query: { until, limit: 100 } }
  return keepOffline(
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

/** Whether the viewer follows somebody, on all of their hunts. */
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

/** Everything that is shown of hunts: their figures change with what is in them. */
export const refreshHunts = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey: [path] }) => isOfHunts(path) })
