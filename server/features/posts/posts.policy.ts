import type { Post } from '#contracts/posts.ts'
import { type CommunityAccess, grantsAccess } from '#server/features/communities/index.ts'
import type { Viewer } from './visible-posts.ts'

type Owned = {
  author_id: string
  business_id: string | null
  is_member: boolean
}

/** A business's post belongs to all of its team, and to its author only while they are on the team. */
export const isOwnPost = (viewerId: string, post: Owned): boolean =>
  post.business_id === null ? post.author_id === viewerId : post.is_member

type Seen = Owned & { is_locked: boolean; moderation: string | null }

/**
 * What a viewer may do with a post they can see. Accounts without a birthday can't write. In a community (`access`), write access is
 * required to take part. Authors can edit or delete their held and hidden posts. Community moderators remove posts through a case: the
 * author is notified of the reason and can appeal.
 */
export function postAbilities(viewer: Viewer | null, post: Seen, access: CommunityAccess | null): Post['abilities'] {
  if (viewer === null || viewer.age === null) return { like: false, comment: false, edit: false, delete: false, report: false }
  const isOwn = isOwnPost(viewer.id, post)
  const writes = access === null || grantsAccess(access, 'write')
  const takesPart = writes && !post.is_locked && post.moderation === null
  return { like: takesPart, comment: takesPart, edit: isOwn && writes, delete: isOwn, report: !isOwn }
}
