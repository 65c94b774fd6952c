import type { Comment } from '../../../contracts/comments.ts'
import type { Db } from '../../db/connect.ts'
import { notFound } from '../../kernel/errors.ts'
import { audienceOf, type Viewer } from '../posts/index.ts'
import { commentRowsById, unblockedReaders } from './comments.queries.ts'
import { toComments } from './comments.view.ts'

/** Of these comments those that the viewer may see, in the order of the ids; none of a post that is locked or not visible. */
export async function loadComments(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Comment[]> {
  if (ids.length === 0) return []
  const rows = new Map((await commentRowsById(db, viewer, ids)).map((row) => [row.comment_id, row]))
  return toComments(
    db,
    viewer,
    ids.flatMap((id) => rows.get(id) ?? []),
  )
}

/** @throws AppError not_found where it is not there or not for this viewer */
export async function readComment(db: Db, viewer: Viewer, id: string): Promise<Comment> {
  const [comment] = await loadComments(db, viewer, [id])
  if (!comment) throw notFound('Comment not found.')
  return comment
}

/** Who of these people may read a comment; for whoever tells many people of it. Nobody, once it is deleted. */
export async function audienceOfComment(db: Db, commentId: string, userIds: readonly string[], now: Date): Promise<Set<string>> {
  const postId = await postOf(db, commentId)
  if (postId === null || userIds.length === 0) return new Set()
  const readers = await audienceOf(db, postId, await unblockedReaders(db, commentId, userIds), now)
  return new Set([...readers].flatMap(([id, { isLocked }]) => (isLocked ? [] : [id])))
}

async function postOf(db: Db, commentId: string): Promise<string | null> {
  const comment = await db.selectFrom('comments').select('post_id').where('id', '=', commentId).executeTakeFirst()
  return comment?.post_id ?? null
}
