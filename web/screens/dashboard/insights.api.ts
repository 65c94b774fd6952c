import { keepPreviousData } from '@tanstack/react-query'
import { getInsights, listNextSteps } from '#contracts/calls/insights.ts'
import type { InsightStep } from '#contracts/insights.endpoints.ts'
import { addressOf } from '#web/lib/address.ts'
import { callOptions } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'

export type Period = { days: number; by: InsightStep }

export const insightsOptions = (businessId: string, period: Period) => ({
  ...callOptions(getInsights, { params: { id: businessId }, query: period }),
  meta: othersChange,
  placeholderData: keepPreviousData,
})

export const nextStepsOptions = (businessId: string) => ({ ...callOptions(listNextSteps, { params: { id: businessId } }), staleTime: 0 })

export const fileAddress = (slug: string, period: Period): string =>
  addressOf({ path: `${getInsights.path}.csv` as `/api/${string}` }, { params: { id: slug }, query: period })
