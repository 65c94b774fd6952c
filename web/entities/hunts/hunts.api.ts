import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { listGrowTasks } from '#contracts/calls/grow-tasks.ts'
import {
  getHunt,
  getHuntSummary,
  listHuntActivity,
  listHuntComments,
  listHuntShares,
  listHunts,
  listOwnActivity,
  suggestPeopleToShareWith,
} from '#contracts/calls/hunts.ts'
import { listKeptPhenos } from '#contracts/calls/plants.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { cacheOffline } from '#web/entities/offline/cache-offline.ts'
import { call, callOptions, type ListPage, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'

const mine = { query: { limit: 50 } }

export const huntsOptions = cacheOffline({
  ...pagesOptions(listHunts, mine),
  // Collaborators also edit hunts, so a cached list may be outdated.
  meta: othersChange,
})

export const huntOptions = (id: string) => cacheOffline({ ...callOptions(getHunt, { params: { id } }), meta: othersChange })

export const summaryOptions = cacheOffline({ ...callOptions(getHuntSummary, {}), meta: othersChange })

const activityAPage = 10

export const ownActivityOptions = { ...pagesOptions(listOwnActivity, { query: { limit: activityAPage } }), meta: othersChange }

export const huntActivityOptions = (id: string) => ({
  ...pagesOptions(listHuntActivity, { params: { id }, query: { limit: activityAPage } }),
  meta: othersChange,
})

export const dueTasksOptions = (until: string) => {
  const input = { query: { until, limit: 50 } }
  return cacheOffline({ ...pagesOptions(listGrowTasks, input), meta: othersChange })
}

export const publicHuntsOptions = (search: string) => {
  const query = { scope: 'public' as const, search }
  return { ...pagesOptions(listHunts, { query }), meta: othersChange }
}

export const sharesOptions = (id: string) => ({ ...callOptions(listHuntShares, { params: { id } }), staleTime: 0 })

export const findPeople = (huntId: string) => (search: string, signal: AbortSignal) =>
  call(suggestPeopleToShareWith, { params: { id: huntId }, query: { search: search.slice(0, 80) } }, { signal })

export const huntCommentsOptions = (id: string) => ({ ...pagesOptions(listHuntComments, { params: { id } }), staleTime: 0 })

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

/** A hunt's counts depend on all its contents, and its tasks and keepers are listed with its name. */
export const huntPaths = [listHunts.path, listGrowTasks.path, listKeptPhenos.path]

export const refreshHunts = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey: [path] }) => huntPaths.some((each) => String(path).startsWith(each)) })

export const refreshTasks = (client: QueryClient): Promise<void> => refreshCalls(client, [listGrowTasks])
export const refreshShares = (client: QueryClient): Promise<void> => refreshCalls(client, [listHuntShares])
