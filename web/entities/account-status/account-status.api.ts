import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getAccountStatus, listHeldContent, listOwnDecisions } from '#contracts/account-status.ts'
import type { OwnAppeal } from '#contracts/moderation.ts'
import { listOwnReports } from '#contracts/reports.ts'
import { call, callPage, type ListPage, queryKey } from '#web/lib/call.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

// Moderators may have changed any of this in the meantime.

export const accountStatusOptions = queryOptions({
  queryKey: queryKey(getAccountStatus),
  queryFn: ({ signal }) => call(getAccountStatus, {}, { signal }),
  staleTime: 0,
})

export const ownDecisionsOptions = infiniteQueryOptions({
  queryKey: queryKey(listOwnDecisions),
  queryFn: ({ pageParam, signal }) => callPage(listOwnDecisions, {}, pageParam, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  staleTime: 0,
})

export const heldContentOptions = infiniteQueryOptions({
  queryKey: queryKey(listHeldContent),
  queryFn: ({ pageParam, signal }) => callPage(listHeldContent, {}, pageParam, { signal }),
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

export function addAppeal(client: QueryClient, decisionId: string, appeal: OwnAppeal): void {
  client.setQueryData(
    ownDecisionsOptions.queryKey,
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          items: page.items.map((decision) => (decision.id === decisionId ? { ...decision, appeal, mayAppeal: false } : decision)),
        })),
      },
  )
}
