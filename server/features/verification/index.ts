import * as contract from '#contracts/verification.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { getVerification, listWaitingVerifications } from './read-verifications.ts'
import { requestVerification, withdrawVerification } from './request-verification.ts'
import { approveVerification, rejectVerification } from './settle-verification.ts'

export { provableRow, verifyByCode } from './proof.ts'
export { mayReadLicenseDocument } from './read-verifications.ts'
export { endTeamRequests, endUnprovenVerifications } from './settle-verification.ts'
export { verificationJobs, verificationSchedules } from './verification.jobs.ts'
export { decisiveVerification, lockVerification, notifiedLicenses, verificationRow } from './verification.queries.ts'

export function registerVerification(api: Api): void {
  route(api, contract.getVerification, ({ ctx, actor, params }) => getVerification(ctx.db, actor, params.id, ctx.clock.now()))
  route(api, contract.requestVerification, ({ ctx, actor, params, body }) => requestVerification(ctx, actor, params.id, body))
  route(api, contract.withdrawVerification, ({ ctx, actor, params }) => withdrawVerification(ctx, actor, params.id))
  route(api, contract.listWaitingVerifications, ({ ctx, actor, query }) => listWaitingVerifications(ctx.db, actor, query))
  route(api, contract.approveVerification, ({ ctx, actor, params }) => approveVerification(ctx, actor, params.id))
  route(api, contract.rejectVerification, ({ ctx, actor, params, body }) => rejectVerification(ctx, actor, params.id, body.reason))
}
