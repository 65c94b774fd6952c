import type { Post } from '../../../contracts/posts.ts'
import { type CommunityAccess, reaches } from '../communities/index.ts'
import type { Viewer } from './viewer.ts'

type Owned = {
  author_id: string
  business_id: string | null
  /** Whether the viewer belongs to the post's business. */
  is_member: boolean
}

/** Of a post under a business's name, it is everybody's who belongs to it and nobody else's, its author included. */
export const isOwnPost = (viewerId: string, post: Owned): boolean =>
  post.business_id === null ? post.author_id === viewerId : post.is_member

type Seen = Owned & { is_locked: boolean; moderation: string | null }

/**
 * What somebody who sees a post may do with it. Without a birthday nobody writes anything. In a community (`access`) those who write
 * there take part; what was taken from view is for its writer to mend or delete. A community's moderators take things from view by a
 * case, with a reason that its writer is told and can appeal.
 */
export function postAbilities(viewer: Viewer | null, post: Seen, access: CommunityAccess | null): Post['abilities'] {
  if (viewer === null || viewer.age === null) return { like: false, comment: false, edit: false, delete: false, report: false }
  const isOwn = isOwnPost(viewer.id, post)
  const writes = access === null || reaches(access, 'write')
  const takesPart = writes && !post.is_locked && post.moderation === null
  return { like: takesPart, comment: takesPart, edit: isOwn && writes, delete: isOwn, report: !isOwn }
}
