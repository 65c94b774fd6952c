export { changePostCount } from './change-post-count.ts'
export { registerCommunities } from './communities.routes.ts'
export {
  type CommunityAccess,
  communityAccess,
  isInvited,
  lockCommunity,
  reaches,
  readsCommunity,
  requireCommunity,
} from './community-access.ts'
export { listCommunities } from './list-communities.ts'
export { endInvitationsBetween } from './memberships.queries.ts'
export { mayReadCommunityPicture } from './picture-access.ts'
export { suggestCommunities } from './suggest-communities.ts'
