import * as contract from '#contracts/communities.endpoints.ts'
import * as members from '#contracts/community-members.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { loadCommunity } from './communities.view.ts'
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
import { countCommunities, getCommunityStats, listCommunities, listMyCommunities, suggestCommunities } from './list-communities.ts'
import { handOverCommunity, listMembers, removeFromCommunity, setMemberRole } from './members.ts'
import { changeCommunity, createCommunity, deleteCommunity, verifyCommunity } from './write-community.ts'

export { changePostCount, type NotifiedCommunity, notifiedCommunities } from './communities.queries.ts'
export { mayReadCommunityPicture } from './communities.view.ts'
export { type CommunityAccess, communityAccess, lockCommunity, reaches, readsCommunity, requireCommunity } from './community-access.ts'
export { listCommunities, suggestCommunities } from './list-communities.ts'
export { endInvitationsBetween } from './memberships.queries.ts'

export function registerCommunities(api: Api): void {
  const { clock } = api.ctx
  route(api, contract.listCommunities, ({ ctx, actor, query }) => listCommunities(ctx.db, actor, query, clock.now()))
  route(api, contract.countCommunities, ({ ctx }) => countCommunities(ctx.db))
  route(api, contract.listMyCommunities, ({ ctx, actor, query }) => listMyCommunities(ctx.db, actor, query, clock.now()))
  route(api, contract.getCommunityStats, ({ ctx, actor }) => getCommunityStats(ctx.db, actor))
  route(api, contract.suggestCommunities, ({ ctx, actor }) => suggestCommunities(ctx.db, actor, clock.now()))
  route(api, contract.getCommunity, ({ ctx, actor, params }) => loadCommunity(ctx.db, actor, params.id, clock.now()))
  route(api, contract.createCommunity, ({ ctx, actor, body, idempotency }) => createCommunity(ctx, actor, body, idempotency))
  route(api, contract.changeCommunity, ({ ctx, actor, params, body }) => changeCommunity(ctx, actor, params.id, body))
  route(api, contract.deleteCommunity, async ({ ctx, actor, params, body }) => {
    await deleteCommunity(ctx, actor, params.id, body.name)
    return undefined
  })
  route(api, contract.joinCommunity, ({ ctx, actor, params, body }) => joinCommunity(ctx, actor, params.id, body.message))
  route(api, contract.leaveCommunity, async ({ ctx, actor, params }) => {
    await leaveCommunity(ctx, actor, params.id)
    return undefined
  })
  route(api, contract.verifyCommunity, ({ ctx, actor, params, body }) => verifyCommunity(ctx, actor, params.id, body.isVerified))

  route(api, members.listCommunityMembers, ({ ctx, actor, params, query }) => listMembers(ctx.db, actor, params.id, query, clock.now()))
  route(api, members.setCommunityRole, ({ ctx, actor, params, body }) => setMemberRole(ctx, actor, params.id, params.personId, body.role))
  route(api, members.removeCommunityMember, async ({ ctx, actor, params }) => {
    await removeFromCommunity(ctx, actor, params.id, params.personId)
    return undefined
  })
  route(api, members.handOverCommunity, ({ ctx, actor, params, body }) => handOverCommunity(ctx, actor, params.id, body.personId))

  route(api, members.listCommunityRequests, ({ ctx, actor, params, query }) => listRequests(ctx.db, actor, params.id, query, clock.now()))
  route(api, members.acceptCommunityRequest, async ({ ctx, actor, params }) => {
    await acceptRequest(ctx, actor, params.id, params.personId)
    return undefined
  })
  route(api, members.declineCommunityRequest, async ({ ctx, actor, params }) => {
    await declineRequest(ctx, actor, params.id, params.personId)
    return undefined
  })

  route(api, members.listCommunityInvitations, ({ ctx, actor, params, query }) =>
    listInvitations(ctx.db, actor, params.id, query, clock.now()),
  )
  route(api, members.inviteToCommunity, ({ ctx, actor, params, body }) => inviteByName(ctx, actor, params.id, body))
  route(api, members.makeInvitationLink, ({ ctx, actor, params, body }) => makeLink(ctx, actor, params.id, body.days))
  route(api, members.revokeCommunityInvitation, async ({ ctx, actor, params }) => {
    await revokeInvitation(ctx, actor, params.id, params.invitationId)
    return undefined
  })
  route(api, members.suggestPeopleToInvite, ({ ctx, actor, params, query }) =>
    suggestPeopleToInvite(ctx.db, actor, params.id, query, clock.now()),
  )

  route(api, members.listMyCommunityInvitations, ({ ctx, actor, query }) => listReceived(ctx, actor, query))
  route(api, members.getCommunityInvitation, ({ ctx, actor, params }) => getInvitation(ctx, actor, params.token))
  route(api, members.acceptCommunityInvitation, ({ ctx, actor, params }) => acceptInvitation(ctx, actor, params.token))
  route(api, members.declineCommunityInvitation, async ({ ctx, actor, params }) => {
    await declineInvitation(ctx, actor, params.token)
    return undefined
  })
}
