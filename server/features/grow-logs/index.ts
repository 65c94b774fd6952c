import * as contract from '#contracts/grow-logs.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { createGrowLog, createGrowLogs } from './create-grow-logs.ts'
import { getGrowth, listGrowLogs, listVersions, loadGrowLog, photosOfDay } from './read-grow-logs.ts'
import { deleteGrowLog, restoreGrowLog, updateGrowLog } from './update-grow-log.ts'

export { mayReadLogPhoto, vpdOf } from './read-grow-logs.ts'
export { growLogJobs, growLogSchedules } from './update-grow-log.ts'

export function registerGrowLogs(api: Api): void {
  route(api, contract.listGrowLogs, ({ ctx, actor, query }) => listGrowLogs(ctx.db, actor, query))
  route(api, contract.createGrowLog, ({ ctx, actor, body, idempotency }) => createGrowLog(ctx, actor, body, idempotency))
  route(api, contract.createGrowLogs, ({ ctx, actor, body, idempotency }) => createGrowLogs(ctx, actor, body, idempotency))
  route(api, contract.getGrowLog, ({ ctx, actor, params }) => loadGrowLog(ctx.db, actor, params.id))
  route(api, contract.updateGrowLog, ({ ctx, actor, params, body }) => updateGrowLog(ctx, actor, params.id, body))
  route(api, contract.deleteGrowLog, ({ ctx, actor, params, query }) => deleteGrowLog(ctx, actor, params.id, query.version))
  route(api, contract.restoreGrowLog, ({ ctx, actor, params }) => restoreGrowLog(ctx, actor, params.id))
  route(api, contract.listGrowLogVersions, ({ ctx, actor, params }) => listVersions(ctx.db, actor, params.id))
  route(api, contract.getPhotosOfDay, ({ ctx, actor, params, query }) => photosOfDay(ctx.db, actor, params.id, query.on))
  route(api, contract.getGrowth, ({ ctx, actor, params }) => getGrowth(ctx.db, actor, params.id))
}
