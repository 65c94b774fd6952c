import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { OwnAppeal } from '../../../contracts/moderation.ts'
import { listOwnReports } from '../../../contracts/reports.ts'
import { getStanding, listHeldThings, listOwnDeeds } from '../../../contracts/standing.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

// Moderators may have changed all of it since it was last looked at.

export const standingOptions = queryOptions({
  queryKey: queryKey(getStanding),
  queryFn: ({ signal }) => call(getStanding, {}, { signal }),
  staleTime: 0,
})

export const ownDeedsOptions = infiniteQueryOptions({
  queryKey: queryKey(listOwnDeeds),
  queryFn: ({ pageParam, signal }) => callPage(listOwnDeeds, {}, pageParam, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  staleTime: 0,
})

export const heldThingsOptions = infiniteQueryOptions({
  queryKey: queryKey(listHeldThings),
  queryFn: ({ pageParam, signal }) => callPage(listHeldThings, {}, pageParam, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  staleTime: 0,
})

export const ownReportsOptions = infiniteQueryOptions({
  queryKey: queryKey(listOwnReports),
  queryFn: ({ pageParam, signal }) => callPage(listOwnReports, {}, pageParam, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  staleTime: 0,
})

/** An appeal that was just made stands with its action at once. */
export function addAppeal(client: QueryClient, deedId: string, appeal: OwnAppeal): void {
  client.setQueryData(
    ownDeedsOptions.queryKey,
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          items: page.items.map((deed) => (deed.id === deedId ? { ...deed, appeal, mayAppeal: false } : deed)),
        })),
      },
  )
}
