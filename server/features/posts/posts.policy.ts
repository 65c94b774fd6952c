import type { Post } from '../../../contracts/posts.ts'
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

export const isModerator = (viewer: Viewer): boolean => viewer.role === 'moderator' || viewer.role === 'admin'

/** What somebody who sees a post may do with it. Without a birthday nobody writes anything. */
export function postAbilities(viewer: Viewer | null, post: Owned & { is_locked: boolean }): Post['abilities'] {
  if (viewer === null || viewer.age === null) return { like: false, comment: false, edit: false, delete: false, report: false }
  const isOwn = isOwnPost(viewer.id, post)
  return { like: !post.is_locked, comment: !post.is_locked, edit: isOwn, delete: isOwn || isModerator(viewer), report: !isOwn }
}
