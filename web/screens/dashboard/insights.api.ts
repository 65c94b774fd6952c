import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getInsights, type InsightStep, listNextSteps } from '#contracts/insights.ts'
import { addressOf } from '#web/lib/address.ts'
import { call, queryKey } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'

export type Period = { days: number; by: InsightStep }

export const insightsOptions = (businessId: string, period: Period) =>
  queryOptions({
    queryKey: queryKey(getInsights, { params: { id: businessId }, query: period }),
    queryFn: ({ signal }) => call(getInsights, { params: { id: businessId }, query: period }, { signal }),
    meta: othersChange,
    placeholderData: keepPreviousData,
  })

export const nextStepsOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(listNextSteps, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(listNextSteps, { params: { id: businessId } }, { signal }),
    staleTime: 0,
  })

export const fileAddress = (slug: string, period: Period): string =>
  addressOf({ path: `${getInsights.path}.csv` as `/api/${string}` }, { params: { id: slug }, query: period })
