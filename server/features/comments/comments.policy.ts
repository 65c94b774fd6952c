import type { Comment } from '#contracts/comments.ts'
import type { Viewer } from '#server/features/posts/index.ts'

type Written = {
  author_id: string
  business_id: string | null
  is_deleted: boolean
  /** Is the viewer on the team of the business that the comment was written for? */
  is_member: boolean
}

/** A comment in a business's name belongs to its whole team. */
export const isOwnComment = (viewerId: string, comment: Written): boolean =>
  comment.business_id === null ? comment.author_id === viewerId : comment.is_member

/** Precondition: the viewer can read the post in full. */
export function commentAbilities(
  viewer: Viewer,
  comment: Written,
  { ownsPost, mayBlock }: { ownsPost: boolean; mayBlock: boolean },
): Comment['abilities'] {
  if (comment.is_deleted) return { reply: false, edit: false, delete: false, report: false, block: false }
  const isOwn = isOwnComment(viewer.id, comment)
  return { reply: true, edit: isOwn, delete: isOwn || ownsPost, report: !isOwn, block: mayBlock }
}
