export { changePostCount, type NotifiedCommunity, notifiedCommunities } from './communities.queries.ts'
export { registerCommunities } from './communities.routes.ts'
export { mayReadCommunityPicture } from './communities.view.ts'
export {
  type CommunityAccess,
  communityAccess,
  lockCommunity,
  reaches,
  readsCommunity,
  requireCommunity,
} from './community-access.ts'
export { listCommunities, suggestCommunities } from './list-communities.ts'
export { endInvitationsBetween } from './memberships.queries.ts'
