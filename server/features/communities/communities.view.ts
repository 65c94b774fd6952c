import type { Community } from '../../../contracts/communities.ts'
import { bylinePicture } from '../../kernel/media-address.ts'
import type { CommunityRow } from './communities.queries.ts'
import { type CommunityAccess, reaches } from './community-access.ts'

/**
 * As one person sees it. `access` is what they may do; whoever holds an invitation by a link sees of it what there is to see for
 * everybody, though it does not exist for them yet.
 */
export function toCommunity(row: CommunityRow, access: CommunityAccess): Community {
  const isOutside = row.role === null && row.moderation === null && !row.is_banned
  const mayJoin = isOutside && (row.visibility === 'public' || row.is_invited)
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    category: row.category,
    memberCount: row.member_count,
    postCount: reaches(access, 'read') ? row.post_count : null,
    isVerified: row.is_verified,
    imageUrl: bylinePicture(row.image_id),
    visibility: row.visibility,
    rules: row.rules,
    createdAt: row.created_at.toISOString(),
    isDemo: row.is_demo,
    isHidden: row.moderation !== null,
    myRole: row.role,
    mutedUntil: row.muted_until?.toISOString() ?? null,
    isRequested: row.is_requested,
    isInvited: row.is_invited,
    requestsCount: row.requests_count,
    abilities: {
      read: reaches(access, 'read'),
      post: reaches(access, 'write'),
      join: mayJoin,
      request: isOutside && !mayJoin && !row.is_requested && row.visibility === 'invite_only',
      leave: row.role !== null && row.role !== 'owner',
      invite: reaches(access, 'moderate'),
      moderate: reaches(access, 'moderate'),
      edit: reaches(access, 'own'),
      delete: reaches(access, 'own'),
    },
  }
}
