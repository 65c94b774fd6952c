import type { QueryClient } from '@tanstack/react-query'
import { getQueueCounts } from '#contracts/calls/admin.ts'
import { getCase, getLoad, getModerationCounts, listAppeals, listCases, listModerationLog } from '#contracts/calls/moderation.ts'
import type { ActsFor, ModerationCaseDetail } from '#contracts/moderation.ts'
import { callOptions, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { alwaysCurrent } from '#web/lib/query-client.ts'

/** `site`, or a community's ID. */
export type Scope = string

export const caseFilters = ['reports', 'held', 'mine', 'decided'] as const
export type CaseFilter = (typeof caseFilters)[number]

const queries = {
  reports: { kind: 'reports' },
  held: { kind: 'held' },
  mine: { mine: 'true' },
  decided: { status: 'decided' },
} as const

/** Refetched every minute, because moderators work in parallel. */
const live = { staleTime: 0, refetchInterval: 60_000 } as const

export const casesOptions = (scope: Scope, filter: CaseFilter) => {
  const query = { scope, ...queries[filter] }
  return { ...pagesOptions(listCases, { query }), ...live }
}

/** Fetched once and after each action, because the audit log records every view of a message. */
export const caseOptions = (id: string, actsFor: ActsFor) => ({
  ...callOptions(getCase, { params: { id }, query: { actsFor } }),
  gcTime: 60_000,
})

/** Matches a case whether it was opened for the site or for a community. */
const caseKey = (id: string) => [getCase.path, { id }]

export const loadOptions = (scope: Scope) => ({ ...callOptions(getLoad, { query: { scope } }), ...live })

/** Call after an action. Pass null if there is no case to refetch, for example because the response included it. */
export async function refreshDesk(client: QueryClient, caseId: string | null): Promise<void> {
  await Promise.all([
    refreshCalls(client, [listCases, listAppeals, getLoad, getQueueCounts]),
    caseId && client.invalidateQueries({ queryKey: caseKey(caseId) }),
  ])
}

export function cacheCase(client: QueryClient, id: string, part: Partial<ModerationCaseDetail>): void {
  client.setQueriesData<ModerationCaseDetail>({ queryKey: caseKey(id) }, (known) => known && { ...known, ...part })
}

export const appealStatuses = ['open', 'decided'] as const
export type AppealStatus = (typeof appealStatuses)[number]

export const appealsOptions = (status: AppealStatus) => ({ ...pagesOptions(listAppeals, { query: { status } }), ...live })

export const logOptions = { ...pagesOptions(listModerationLog, {}), ...alwaysCurrent }

export const countedDays = 90

export const countsOptions = { ...callOptions(getModerationCounts, { query: { days: countedDays } }), ...alwaysCurrent }
