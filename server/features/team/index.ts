import * as contract from '#contracts/team.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { changeRole, getTeam, removeFromTeam, transferBusiness } from './change-team.ts'
import { acceptInvitation, getInvitation, invite, listOwnInvitations, resendInvitation, revokeInvitation } from './invitations.ts'

export { type Release, refuseDemo } from './change-team.ts'
export { canBlockFor, type Permission, requirePermission, roleCan, rolesThatCan, type TeamBusiness, type TeamRole } from './roles.ts'
export { teamJobs } from './team.jobs.ts'
export {
  addOwner,
  dissolveTeam,
  dropGroupRole,
  maxBusinessesPerAccount,
  ownerOf,
  putIntoGroup,
  roleOf,
  setGroupRole,
  takeOutOfGroup,
} from './team.queries.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    /** Someone became the owner or a member of a business's team. */
    'team.joined': { businessId: string }
    /** Someone left a business's team, or a member became its owner. */
    'team.changed': { businessId: string }
  }
}

export function registerTeam(api: Api): void {
  route(api, contract.getTeam, ({ ctx, actor, params }) => getTeam(ctx.db, actor, params.id, ctx.clock.now()))
  route(api, contract.inviteToTeam, ({ ctx, actor, params, body }) => invite(ctx, actor, params.id, body))
  route(api, contract.resendInvitation, ({ ctx, actor, params }) => resendInvitation(ctx, actor, params.id, params.invitationId))
  route(api, contract.revokeInvitation, ({ ctx, actor, params }) => revokeInvitation(ctx, actor, params.id, params.invitationId))
  route(api, contract.changeTeamRole, ({ ctx, actor, params, body }) => changeRole(ctx, actor, params.id, params.userId, body.role))
  route(api, contract.removeFromTeam, ({ ctx, actor, params }) => removeFromTeam(ctx, actor, params.id, params.userId))
  route(api, contract.transferBusiness, ({ ctx, actor, params, body }) => transferBusiness(ctx, actor, params.id, body.userId))
  route(api, contract.listOwnTeamInvitations, ({ ctx, actor }) => listOwnInvitations(ctx, actor))
  route(api, contract.getInvitation, ({ ctx, actor, params }) => getInvitation(ctx, actor, params.token))
  route(api, contract.acceptInvitation, ({ ctx, actor, params }) => acceptInvitation(ctx, actor, params.token))
}
