import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { changeCommentsCount, isOwnPost, type PostFacts, postFacts, type Viewer, viewerOf } from '../posts/index.ts'
import { isOwnComment } from './comments.policy.ts'
import { type CommentFacts, changeRepliesCount, commentFacts, emptyComment, hasReplies, removeComment } from './comments.queries.ts'

/**
 * Deletes a comment: one's own (under a post, too, that one sees no more), or one under a post of one's own. With replies it
 * stays, emptied, until the last of them is deleted. Moderators decide a case instead.
 * @throws AppError not_found, forbidden
 */
export async function deleteComment(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, commentId: string): Promise<void> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  await inTransaction(ctx.db, async (tx) => {
    const before = await commentFacts(tx, viewer, commentId)
    // The post first: all that counts its comments waits there.
    const post = before && (await postFacts(tx, viewer, before.post_id, { lock: true }))
    const comment = await commentFacts(tx, viewer, commentId)
    if (!post || !comment || comment.is_deleted) throw notFound('Comment not found.')
    requireRight(viewer, post, comment)
    await takeAway(tx, comment)
    // What moderators took from view is counted nowhere.
    if (comment.moderation === null) await changeCommentsCount(tx, post.id, -1)
  })
}

function requireRight(viewer: Viewer, post: PostFacts, comment: CommentFacts): void {
  if (isOwnComment(viewer.id, comment)) return
  if (!post.is_visible || post.is_locked || !comment.is_visible) throw notFound('Comment not found.')
  if (!isOwnPost(viewer.id, post)) throw new AppError('forbidden', { message: 'Only those who wrote a comment can delete it.' })
}

/** The counts of its post are the caller's, who holds that. */
export async function takeAway(tx: Tx, comment: Pick<CommentFacts, 'id' | 'parent_id' | 'moderation'>): Promise<void> {
  if (await hasReplies(tx, comment.id)) {
    await emptyComment(tx, comment.id)
    return
  }
  await removeComment(tx, comment.id)
  if (comment.parent_id === null) return
  const parent = await changeRepliesCount(tx, comment.parent_id, comment.moderation === null ? -1 : 0)
  if (parent.is_deleted && !(await hasReplies(tx, comment.parent_id))) await removeComment(tx, comment.parent_id)
}
