import type { Comment } from '../../../contracts/comments.ts'
import { toPerson } from '../people/index.ts'
import { toBusinessByline, type Viewer } from '../posts/index.ts'
import { commentAbilities } from './comments.policy.ts'
import type { CommentRow } from './comments.queries.ts'

export function toComment(viewer: Viewer, row: CommentRow): Comment {
  const isNamed = !row.is_deleted
  return {
    id: row.comment_id,
    postId: row.post_id,
    parentId: row.parent_id,
    author: isNamed && row.business_id === null ? toPerson(row) : null,
    business: isNamed ? toBusinessByline(row) : null,
    content: row.content,
    isDeleted: row.is_deleted,
    repliesCount: row.replies_count,
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    abilities: commentAbilities(viewer, { ...row, author_id: row.id }, row.owns_post),
  }
}
