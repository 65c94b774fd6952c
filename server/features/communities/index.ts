export {
  type AccessibleCommunity,
  type CommunityAccess,
  communityAccess,
  reaches,
  readsCommunity,
  requireCommunity,
} from './community-access.ts'
