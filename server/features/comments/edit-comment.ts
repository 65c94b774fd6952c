import type { Comment } from '../../../contracts/comments.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { viewerOf } from '../posts/index.ts'
import { isOwnComment } from './comments.policy.ts'
import { commentFacts, updateWords } from './comments.queries.ts'
import { lockOpenPost } from './open-post.ts'
import { readComment } from './read-comments.ts'

/** @throws AppError not_found, forbidden for another's */
export async function editComment(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, commentId: string, content: string): Promise<Comment> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    const before = await commentFacts(tx, viewer, commentId)
    if (!before) throw notFound('Comment not found.')
    await lockOpenPost(tx, viewer, before.post_id)
    const comment = await commentFacts(tx, viewer, commentId)
    if (!comment?.is_visible || comment.is_deleted) throw notFound('Comment not found.')
    if (!isOwnComment(actor.id, comment)) throw new AppError('forbidden', { message: 'Only those who wrote a comment can change it.' })
    await updateWords(tx, commentId, content, now)
    return readComment(tx, viewer, commentId)
  })
}
