import type { QueryClient } from '@tanstack/react-query'
import {
  getHealth,
  getPerson,
  getPlanFigures,
  getQueueCounts,
  listAllCommunities,
  listAudit,
  listAuditActions,
  listBusinesses,
  listFailedJobs,
  listJobQueues,
  listPeople,
} from '#contracts/calls/admin.ts'
import { getBusiness, listBusinesses as listDirectory } from '#contracts/calls/businesses.ts'
import type { Call, InputOf } from '#contracts/endpoint.ts'
import { callOptions, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'

const fresh = { meta: othersChange } as const

const one = <C extends Call>(endpoint: C, input: InputOf<C>) => ({ ...callOptions(endpoint, input), ...fresh })
const list = <C extends Call>(endpoint: C, input: InputOf<C>) => ({ ...pagesOptions(endpoint, input), ...fresh })

export const waitingOptions = one(getQueueCounts, {})
export const healthOptions = one(getHealth, {})
export const planFiguresOptions = one(getPlanFigures, {})
export const auditActionsOptions = one(listAuditActions, {})
export const jobQueuesOptions = one(listJobQueues, {})
export const failedJobsOptions = list(listFailedJobs, { query: {} })

type QueryOf<C extends Call> = Omit<NonNullable<InputOf<C>['query']>, 'cursor' | 'limit'>

export const peopleOptions = (query: QueryOf<typeof listPeople>) => list(listPeople, { query })
export const businessesOptions = (query: QueryOf<typeof listBusinesses>) => list(listBusinesses, { query })
export const communitiesOptions = (query: QueryOf<typeof listAllCommunities>) => list(listAllCommunities, { query })
export const auditOptions = (query: QueryOf<typeof listAudit>) => list(listAudit, { query })

/** Not cached, because the audit log must record each time someone opens an account. */
export const personOptions = (id: string) => ({ ...callOptions(getPerson, { params: { id } }), gcTime: 0 })

export const refreshPeople = (client: QueryClient): Promise<void> => refreshCalls(client, [getPerson, listPeople])
export const refreshBusinesses = (client: QueryClient): Promise<void> => refreshCalls(client, [listBusinesses, listDirectory, getBusiness])
export const refreshCommunities = (client: QueryClient): Promise<void> => refreshCalls(client, [listAllCommunities])
export const refreshJobs = (client: QueryClient): Promise<void> => refreshCalls(client, [listJobQueues, listFailedJobs])
