import * as contract from '#contracts/claims.endpoints.ts'
import type { MayReadMedia } from '#server/features/media/index.ts'
import { hasRole } from '#server/kernel/actor.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { approveClaim, rejectClaim } from './decide-claim.ts'
import { enterCode, resendCode, withdrawClaim } from './enter-code.ts'
import { getLicenseProof, openClaim, openLicenseProof } from './open-claim.ts'
import { findCandidates, getClaimOptions, listWaitingClaims } from './read-claims.ts'

export { claimJobs } from './claims.mails.ts'
export { isStillAsked } from './claims.queries.ts'
export { releaseBusiness } from './decide-claim.ts'

export function registerClaims(api: Api): void {
  route(api, contract.findClaimCandidates, ({ ctx, query }) => findCandidates(ctx.db, query, ctx.clock.now()), {
    replicaFor: 'anyone',
  })
  route(api, contract.getClaimOptions, ({ ctx, actor, params }) => getClaimOptions(ctx, actor, params.id))
  route(api, contract.openClaim, ({ ctx, actor, body }) => openClaim(ctx, actor, body))
  route(api, contract.getLicenseProof, ({ ctx, actor, params }) => getLicenseProof(ctx, actor, params.id))
  route(api, contract.openLicenseProof, ({ ctx, actor, params, body }) => openLicenseProof(ctx, actor, params.id, body))
  route(api, contract.enterClaimCode, ({ ctx, actor, params, body }) => enterCode(ctx, actor, params.id, body.code))
  route(api, contract.resendClaimCode, ({ ctx, actor, params }) => resendCode(ctx, actor, params.id))
  route(api, contract.withdrawClaim, ({ ctx, actor, params }) => withdrawClaim(ctx, actor, params.id))
  route(api, contract.listWaitingClaims, ({ ctx, actor, query }) => listWaitingClaims(ctx, actor, query))
  route(api, contract.approveClaim, ({ ctx, actor, params }) => approveClaim(ctx, actor, params.id))
  route(api, contract.rejectClaim, ({ ctx, actor, params, body }) => rejectClaim(ctx, actor, params.id, body.reason))
}

export const mayReadClaimDocument: MayReadMedia = async (_db, actor) => hasRole(actor, 'moderator')
