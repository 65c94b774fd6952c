export { changePostCount } from './change-post-count.ts'
export { registerCommunities } from './communities.routes.ts'
export { communityModeration, moderatedCommunity } from './community.moderated.ts'
export {
  type AccessibleCommunity,
  type CommunityAccess,
  communityAccess,
  lockCommunity,
  reaches,
  readsCommunity,
  requireCommunity,
} from './community-access.ts'
export { communityRoleOf, endInvitationsBetween } from './memberships.queries.ts'
export { mayReadCommunityPicture } from './picture-access.ts'
export { banFromCommunity, liftCommunityBan, muteInCommunity } from './standing.ts'
