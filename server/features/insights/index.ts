import * as contract from '#contracts/insights.endpoints.ts'
import { getInsightsByKey } from '#contracts/integrations.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { addInsightsCsv, getInsights, listNextSteps } from './get-insights.ts'
import type { VisitBuffer } from './record-visits.ts'
import { createSalts, recordVisits } from './record-visits.ts'

export { insightRoutes } from './get-insights.ts'
export { createVisitBuffer } from './record-visits.ts'
export { countAgainFrom, insightJobs, insightSchedules, makePartitions, rollUpVisits } from './roll-up.ts'

export function registerInsights(api: Api, buffer: VisitBuffer): void {
  const salts = createSalts(api.ctx.db)
  route(api, contract.recordVisits, (call) => recordVisits({ buffer, salts }, call), { isUnread: true })
  route(api, contract.getInsights, ({ ctx, actor, params, query }) => getInsights(ctx, actor, params.id, query))
  // A key can see what its creator can see.
  route(api, getInsightsByKey, ({ ctx, key, query }) => getInsights(ctx, key.creator, key.businessId, query))
  route(api, contract.listNextSteps, ({ ctx, actor, params }) => listNextSteps(ctx, actor, params.id))
  addInsightsCsv(api)
}
