import * as contract from '#contracts/corrections.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { listCorrectionCases, listCorrections } from './corrections.view.ts'
import { acceptCorrection, rejectCorrection, undoCorrection } from './settle-correction.ts'
import { suggestCorrection, voteOnCorrection, withdrawCorrection } from './suggest-correction.ts'

export { permissionFor } from './corrections.policy.ts'
export { isForModerators, type NotifiedCorrection, notifiedCorrections } from './corrections.queries.ts'

export function registerCorrections(api: Api): void {
  route(api, contract.listCorrections, ({ ctx, actor, params, query }) => listCorrections(ctx.db, actor, params.id, query, ctx.clock.now()))
  route(api, contract.suggestCorrection, ({ ctx, actor, params, body }) => suggestCorrection(ctx, actor, params.id, body))
  route(api, contract.voteOnCorrection, ({ ctx, actor, params, body }) => voteOnCorrection(ctx, actor, params.id, body.agrees))
  route(api, contract.withdrawCorrection, ({ ctx, actor, params }) => withdrawCorrection(ctx, actor, params.id))
  route(api, contract.acceptCorrection, ({ ctx, actor, params, body }) => acceptCorrection(ctx, actor, params.id, body.keep))
  route(api, contract.rejectCorrection, ({ ctx, actor, params }) => rejectCorrection(ctx, actor, params.id))
  route(api, contract.listCorrectionCases, ({ ctx, actor, query }) => listCorrectionCases(ctx.db, actor, query, ctx.clock.now()))
  route(api, contract.undoCorrection, ({ ctx, actor, params }) => undoCorrection(ctx, actor, params.id))
}
