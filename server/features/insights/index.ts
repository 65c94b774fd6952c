import * as contract from '../../../contracts/insights.ts'
import { type Api, route } from '../../kernel/route.ts'
import { getInsights } from './get-insights.ts'
import { addInsightsCsv } from './insights-csv.ts'
import { listNextSteps } from './next-steps.ts'
import { recordVisits } from './record-visits.ts'
import type { VisitBuffer } from './visit-buffer.ts'
import { createSalts } from './visitor.ts'

export { insightJobs, insightSchedules } from './insights.jobs.ts'
export { insightRoutes } from './insights-csv.ts'
export { makePartitions } from './partitions.ts'
export { countAgainFrom, rollUpVisits } from './roll-up.ts'
export { createVisitBuffer } from './visit-buffer.ts'

export function registerInsights(api: Api, buffer: VisitBuffer): void {
  const salts = createSalts(api.ctx.db)
  route(api, contract.recordVisits, (call) => recordVisits({ buffer, salts }, call), { isUnread: true })
  route(api, contract.getInsights, ({ ctx, actor, params, query }) => getInsights(ctx, actor, params.id, query))
  route(api, contract.listNextSteps, ({ ctx, actor, params }) => listNextSteps(ctx, actor, params.id))
  addInsightsCsv(api)
}
