import { type SearchParams, textParam, wordParam } from '#web/lib/search-params.ts'

export const dashboardTabs = ['overview', 'subscriptions', 'locations', 'social'] as const
export type DashboardTab = (typeof dashboardTabs)[number]

export const insightSteps = ['day', 'week', 'month'] as const
export type InsightStep = (typeof insightSteps)[number]

export const insightRanges = ['7d', '28d', '90d', '12m'] as const
export type InsightRange = (typeof insightRanges)[number]

export type BusinessOfDashboard = { business?: string | undefined }

export type DashboardSearch = BusinessOfDashboard & {
  /** The address omits the first tab. */
  tab?: DashboardTab | undefined
  by?: InsightStep | undefined
  range?: InsightRange | undefined
}

export const readBusinessOfDashboard = ({ business }: SearchParams): BusinessOfDashboard => ({ business: textParam(business, 120) })

export const readDashboardSearch = (search: SearchParams): DashboardSearch => ({
  ...readBusinessOfDashboard(search),
  tab: wordParam(search.tab, dashboardTabs),
  by: wordParam(search.by, insightSteps),
  range: wordParam(search.range, insightRanges),
})
