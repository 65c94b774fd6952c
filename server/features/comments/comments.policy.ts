import type { Comment } from '../../../contracts/comments.ts'
import type { Viewer } from '../posts/index.ts'

type Written = {
  author_id: string
  business_id: string | null
  is_deleted: boolean
  /** Whether the viewer belongs to the business in whose name it was written. */
  is_member: boolean
}

/** Under a business's name, it is everybody's who belongs to it. */
export const isOwnComment = (viewerId: string, comment: Written): boolean =>
  comment.business_id === null ? comment.author_id === viewerId : comment.is_member

/** What somebody who may read the post in full can do with a comment to it. */
export function commentAbilities(
  viewer: Viewer,
  comment: Written,
  { ownsPost, mayBlock }: { ownsPost: boolean; mayBlock: boolean },
): Comment['abilities'] {
  if (comment.is_deleted) return { reply: false, edit: false, delete: false, report: false, block: false }
  const isOwn = isOwnComment(viewer.id, comment)
  return { reply: true, edit: isOwn, delete: isOwn || ownsPost, report: !isOwn, block: mayBlock }
}
