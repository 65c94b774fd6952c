import type { Comment } from '#contracts/comments.ts'
import type { Db } from '#server/db/connect.ts'
import { toPerson } from '#server/features/people/index.ts'
import { toBusinessByline, type Viewer } from '#server/features/posts/index.ts'
import { reasonsOf } from '#server/features/screening/index.ts'
import { commentAbilities } from './comments.policy.ts'
import type { CommentRow } from './comments.queries.ts'

/** Keeps the order of the rows. */
export async function toComments(db: Db, viewer: Viewer, rows: readonly CommentRow[]): Promise<Comment[]> {
  const reasons = await reasonsOf(
    db,
    'comment',
    rows.map(({ comment_id: id, moderation }) => ({ id, moderation })),
  )
  return rows.map((row) => toComment(viewer, row, reasons.get(row.comment_id) ?? []))
}

function toComment(viewer: Viewer, row: CommentRow, reasons: string[]): Comment {
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
    moderation: row.is_deleted || row.moderation === 'removed' ? null : row.moderation,
    heldFor: row.is_deleted ? [] : reasons,
    abilities: commentAbilities(viewer, { ...row, author_id: row.id }, { ownsPost: row.owns_post, mayBlock: row.may_block }),
  }
}
