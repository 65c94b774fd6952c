import type { Comment } from '../../../contracts/comments.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { changeCommentsCount, requireTakingPart, viewerOf } from '../posts/index.ts'
import { screenWords } from '../screening/index.ts'
import { isOwnComment } from './comments.policy.ts'
import { type CommentFacts, changeRepliesCount, commentFacts, updateWords } from './comments.queries.ts'
import { holdComment } from './hold-comment.ts'
import { lockOpenPost } from './open-post.ts'
import { readComment } from './read-comments.ts'
import { requireWelcome } from './write-comment.ts'

/** @throws AppError not_found, forbidden for another's */
export async function editComment(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, commentId: string, content: string): Promise<Comment> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    const before = await commentFacts(tx, viewer, commentId)
    if (!before) throw notFound('Comment not found.')
    const post = await lockOpenPost(tx, viewer, before.post_id, 'Comment not found.')
    const comment = await commentFacts(tx, viewer, commentId)
    if (!comment?.is_visible || comment.is_deleted) throw notFound('Comment not found.')
    if (!isOwnComment(actor.id, comment)) throw new AppError('forbidden', { message: 'Only those who wrote a comment can change it.' })
    await requireTakingPart(tx, actor, post, now)
    await requireWelcome(tx, actor.id, post.business_id)
    const old = await tx.selectFrom('comments').select('content').where('id', '=', commentId).executeTakeFirstOrThrow()
    const verdict = await screenWords(tx, ctx, actor, {
      kind: 'comment',
      texts: [content],
      before: comment.moderation === null ? [old.content] : undefined,
      businessId: comment.business_id,
      communityId: post.community_id,
      subjectId: commentId,
    })
    await updateWords(tx, commentId, content, now)
    if (verdict.state === 'held') {
      if (comment.moderation === null) await takeFromView(tx, comment)
      await holdComment(tx, comment, post.community_id, verdict, now)
    }
    return readComment(tx, viewer, commentId)
  })
}

/** Until a moderator has looked at its new words. The post is held by the caller. */
async function takeFromView(tx: Tx, { id, post_id: postId, parent_id: parentId }: CommentFacts): Promise<void> {
  await tx.updateTable('comments').set({ moderation: 'held' }).where('id', '=', id).execute()
  if (parentId !== null) await changeRepliesCount(tx, parentId, -1)
  await changeCommentsCount(tx, postId, -1)
}
