import * as contract from '#contracts/communities.endpoints.ts'
import * as members from '#contracts/community-members.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { inviteByName, listInvitations, makeLink, revokeInvitation, suggestPeopleToInvite } from './invitations.ts'
import {
  acceptInvitation,
  acceptRequest,
  declineInvitation,
  declineRequest,
  getInvitation,
  joinCommunity,
  leaveCommunity,
  listReceived,
  listRequests,
} from './join-community.ts'
import { listMembers, removeFromCommunity, setMemberRole, transferCommunity } from './members.ts'
import {
  countCommunities,
  getCommunityStats,
  listCommunities,
  listMyCommunities,
  loadCommunity,
  suggestCommunities,
} from './read-communities.ts'
import { createCommunity, deleteCommunity, updateCommunity, verifyCommunity } from './write-community.ts'

export { changePostCount, type NotifiedCommunity, notifiedCommunities } from './communities.queries.ts'
export {
  type CommunityAccess,
  closedCommunity,
  communityAccess,
  grantsAccess,
  lockCommunity,
  readsCommunity,
  requireCommunity,
} from './community-access.ts'
export { endInvitationsBetween } from './memberships.queries.ts'
export { listCommunities, mayReadCommunityPicture, suggestCommunities } from './read-communities.ts'
export { communityJobs, communitySchedules } from './write-community.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    'community.requested': { communityId: string; userId: string }
    'community.joined': { communityId: string; userId: string }
    'community.invited': { invitationId: string }
  }
}

export function registerCommunities(api: Api): void {
  const { clock } = api.ctx
  route(api, contract.listCommunities, ({ ctx, actor, query }) => listCommunities(ctx.db, actor, query, clock.now()))
  route(api, contract.countCommunities, ({ ctx }) => countCommunities(ctx.db))
  route(api, contract.listMyCommunities, ({ ctx, actor, query }) => listMyCommunities(ctx.db, actor, query, clock.now()))
  route(api, contract.getCommunityStats, ({ ctx, actor }) => getCommunityStats(ctx.db, actor))
  route(api, contract.suggestCommunities, ({ ctx, actor }) => suggestCommunities(ctx.db, actor, clock.now()))
  route(api, contract.getCommunity, ({ ctx, actor, params }) => loadCommunity(ctx.db, actor, params.id, clock.now()))
  route(api, contract.createCommunity, ({ ctx, actor, body, idempotency }) => createCommunity(ctx, actor, body, idempotency))
  route(api, contract.updateCommunity, ({ ctx, actor, params, body }) => updateCommunity(ctx, actor, params.id, body))
  route(api, contract.deleteCommunity, ({ ctx, actor, params, body }) => deleteCommunity(ctx, actor, params.id, body.name))
  route(api, contract.joinCommunity, ({ ctx, actor, params, body }) => joinCommunity(ctx, actor, params.id, body.message))
  route(api, contract.leaveCommunity, ({ ctx, actor, params }) => leaveCommunity(ctx, actor, params.id))
  route(api, contract.verifyCommunity, ({ ctx, actor, params, body }) => verifyCommunity(ctx, actor, params.id, body.isVerified))

  route(api, members.listCommunityMembers, ({ ctx, actor, params, query }) => listMembers(ctx.db, actor, params.id, query, clock.now()))
  route(api, members.setCommunityRole, ({ ctx, actor, params, body }) => setMemberRole(ctx, actor, params.id, params.personId, body.role))
  route(api, members.removeCommunityMember, ({ ctx, actor, params }) => removeFromCommunity(ctx, actor, params.id, params.personId))
  route(api, members.transferCommunity, ({ ctx, actor, params, body }) => transferCommunity(ctx, actor, params.id, body.personId))

  route(api, members.listCommunityRequests, ({ ctx, actor, params, query }) => listRequests(ctx.db, actor, params.id, query, clock.now()))
  route(api, members.acceptCommunityRequest, ({ ctx, actor, params }) => acceptRequest(ctx, actor, params.id, params.personId))
  route(api, members.declineCommunityRequest, ({ ctx, actor, params }) => declineRequest(ctx, actor, params.id, params.personId))

  route(api, members.listCommunityInvitations, ({ ctx, actor, params, query }) =>
    listInvitations(ctx.db, actor, params.id, query, clock.now()),
  )
  route(api, members.inviteToCommunity, ({ ctx, actor, params, body }) => inviteByName(ctx, actor, params.id, body))
  route(api, members.makeInvitationLink, ({ ctx, actor, params, body }) => makeLink(ctx, actor, params.id, body.days))
  route(api, members.revokeCommunityInvitation, ({ ctx, actor, params }) => revokeInvitation(ctx, actor, params.id, params.invitationId))
  route(api, members.suggestPeopleToInvite, ({ ctx, actor, params, query }) =>
    suggestPeopleToInvite(ctx.db, actor, params.id, query, clock.now()),
  )

  route(api, members.listMyCommunityInvitations, ({ ctx, actor, query }) => listReceived(ctx, actor, query))
  route(api, members.getCommunityInvitation, ({ ctx, actor, params }) => getInvitation(ctx, actor, params.token))
  route(api, members.acceptCommunityInvitation, ({ ctx, actor, params }) => acceptInvitation(ctx, actor, params.token))
  route(api, members.declineCommunityInvitation, ({ ctx, actor, params }) => declineInvitation(ctx, actor, params.token))
}
