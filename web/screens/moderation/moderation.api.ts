import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getWaiting } from '#contracts/admin.ts'
import { getCase, getLoad, listAppeals, listCases, type ModerationCaseDetail } from '#contracts/moderation.ts'
import { getModerationCounts, listModerationLog } from '#contracts/moderation-log.ts'
import { call, callPage, type ListPage, queryKey } from '#web/lib/call.ts'

/** `site`, or a community's id. */
export type Scope = string

export const caseFilters = ['reports', 'held', 'mine', 'decided'] as const
export type CaseFilter = (typeof caseFilters)[number]

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

const queries = {
  reports: { kind: 'reports' },
  held: { kind: 'held' },
  mine: { mine: 'true' },
  decided: { status: 'decided' },
} as const

/** Moderators work in parallel, so refetch every minute. */
const live = { staleTime: 0, refetchInterval: 60_000 } as const

export const casesOptions = (scope: Scope, filter: CaseFilter) => {
  const query = { scope, ...queries[filter] }
  return infiniteQueryOptions({
    queryKey: queryKey(listCases, { query }),
    queryFn: ({ pageParam, signal }) => callPage(listCases, { query }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    ...live,
  })
}

/** Fetched once and after each action, because every view of a message is audited. */
export const caseOptions = (id: string) =>
  queryOptions({
    queryKey: queryKey(getCase, { params: { id } }),
    queryFn: ({ signal }) => call(getCase, { params: { id } }, { signal }),
    gcTime: 60_000,
  })

export const loadOptions = (scope: Scope) =>
  queryOptions({
    queryKey: queryKey(getLoad, { query: { scope } }),
    queryFn: ({ signal }) => call(getLoad, { query: { scope } }, { signal }),
    ...live,
  })

/** Refetches lists and counts after an action, and the case unless the response included it. */
export async function refreshDesk(client: QueryClient, caseId: string | null): Promise<void> {
  await Promise.all([
    ...[listCases, listAppeals, getLoad, getWaiting].map(({ path }) => client.invalidateQueries({ queryKey: [path] })),
    caseId && client.invalidateQueries({ queryKey: caseOptions(caseId).queryKey }),
  ])
}

export function cacheCase(client: QueryClient, id: string, part: Partial<ModerationCaseDetail>): void {
  client.setQueryData(caseOptions(id).queryKey, (known) => known && { ...known, ...part })
}

export const appealStatuses = ['open', 'decided'] as const
export type AppealStatus = (typeof appealStatuses)[number]

export const appealsOptions = (status: AppealStatus) =>
  infiniteQueryOptions({
    queryKey: queryKey(listAppeals, { query: { status } }),
    queryFn: ({ pageParam, signal }) => callPage(listAppeals, { query: { status } }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    ...live,
  })

export const logOptions = infiniteQueryOptions({
  queryKey: queryKey(listModerationLog),
  queryFn: ({ pageParam, signal }) => callPage(listModerationLog, {}, pageParam, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  staleTime: 0,
})

export const countedDays = 90

export const countsOptions = queryOptions({
  queryKey: queryKey(getModerationCounts, { query: { days: countedDays } }),
  queryFn: ({ signal }) => call(getModerationCounts, { query: { days: countedDays } }, { signal }),
  staleTime: 0,
})
