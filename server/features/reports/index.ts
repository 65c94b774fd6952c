import * as contract from '#contracts/reports.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { listOwnReports, report } from './reports.ts'

export function registerReports(api: Api): void {
  route(api, contract.report, ({ ctx, actor, body }) => report(ctx, actor, body))
  route(api, contract.listOwnReports, ({ ctx, actor, query }) => listOwnReports(ctx.db, actor.id, query))
}
