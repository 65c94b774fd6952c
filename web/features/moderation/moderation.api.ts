import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getWaiting } from '../../../contracts/admin.ts'
import { getCase, getLoad, listAppeals, listCases, type ModerationCaseDetail } from '../../../contracts/moderation.ts'
import { getModerationCounts, listModerationLog } from '../../../contracts/moderation-log.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'

/** `site`, or the id of a community. */
export type Scope = string

/** What a moderator looks through. */
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

/** Others decide at the same time: what is in view is asked for again each minute. */
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

/** Asked for once, and again after what is done in it: each look at a message is noted. */
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

/** What a step changed: the lists and the figures; the case itself where it is not known from an answer. */
export async function refreshDesk(client: QueryClient, caseId: string | null): Promise<void> {
  await Promise.all([
    ...[listCases, listAppeals, getLoad, getWaiting].map(({ path }) => client.invalidateQueries({ queryKey: [path] })),
    caseId && client.invalidateQueries({ queryKey: caseOptions(caseId).queryKey }),
  ])
}

/** Puts what a call answered of a case upon what is known of it. */
export function keepCase(client: QueryClient, id: string, part: Partial<ModerationCaseDetail>): void {
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
