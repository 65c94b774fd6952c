import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { removePost } from './post-writes.queries.ts'
import { isOwnPost } from './posts.policy.ts'
import { postFacts } from './posts.queries.ts'
import { countShown, lockCounts } from './shown-counts.ts'
import { viewerOf } from './viewer.ts'

/**
 * Deletes a post with its comments and likes: one's own, or one of a business that one belongs to. Moderators decide a case instead,
 * with a reason, a notice and a way back.
 * @throws AppError not_found, forbidden
 */
export async function deletePost(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, postId: string): Promise<void> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  await inTransaction(ctx.db, async (tx) => {
    const post = await postFacts(tx, viewer, postId)
    if (!post || !(post.is_visible || isOwnPost(actor.id, post))) throw notFound('Post not found.')
    if (!isOwnPost(actor.id, post)) {
      throw new AppError('forbidden', { message: 'Only those whose post it is can delete it.' })
    }
    // What counts it before the post, as everywhere. Whoever comes second finds the post gone.
    await lockCounts(tx, post)
    const removed = await removePost(tx, postId)
    if (!removed) throw notFound('Post not found.')
    if (removed.moderation === null) await countShown(tx, removed, -1, now)
  })
}
