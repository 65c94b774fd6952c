import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { lockPeople } from '../people/index.ts'
import { changePostsCount, removePost } from './post-writes.queries.ts'
import { isModerator, isOwnPost } from './posts.policy.ts'
import { postFacts } from './posts.queries.ts'
import { viewerOf } from './viewer.ts'

/**
 * Deletes a post with its comments and likes: one's own, one of a business that one belongs to, or any as a moderator, whom no
 * block keeps away.
 * @throws AppError not_found, forbidden
 */
export async function deletePost(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, postId: string): Promise<void> {
  const viewer = viewerOf(actor, ctx.clock.now())
  await inTransaction(ctx.db, async (tx) => {
    const post = await postFacts(tx, viewer, postId)
    if (!post || !(post.is_visible || isModerator(viewer) || isOwnPost(actor.id, post))) throw notFound('Post not found.')
    if (!isOwnPost(actor.id, post) && !isModerator(viewer)) {
      throw new AppError('forbidden', { message: 'Only those whose post it is can delete it.' })
    }
    // The person before the post, as everywhere: see lock-post.ts. Whoever comes second finds the post gone.
    await lockPeople(tx, [post.author_id])
    if (!(await removePost(tx, postId))) throw notFound('Post not found.')
    if (post.business_id === null) await changePostsCount(tx, post.author_id, -1)
  })
}
