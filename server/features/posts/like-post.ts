import type { ResponseOf } from '../../../contracts/endpoint.ts'
import type { likePost } from '../../../contracts/posts.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { lockPost } from './lock-post.ts'
import { addLike, hasLiked, removeLike, setLikesCount } from './post-writes.queries.ts'
import { isOwnPost } from './posts.policy.ts'
import { requireTakingPart } from './taking-part.ts'
import { viewerOf } from './viewer.ts'

/**
 * Likes a post (`true`), takes the like back (`false`), or whichever it is not yet (`toggle`). The first two change nothing when
 * they come again; a toggle that comes again toggles again, which is why the web app does not use it.
 * @throws AppError not_found, forbidden for a locked post, and in a community for who is not a member or is muted there
 */
export async function changeLike(
  ctx: Pick<Context, 'db' | 'clock' | 'events'>,
  actor: Actor,
  postId: string,
  wish: boolean | 'toggle',
): Promise<ResponseOf<typeof likePost>> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    // Whoever likes the same post waits here, so that the count is read and written by one at a time.
    const post = await lockPost(tx, viewerOf(actor, now), postId)
    if (post.is_locked) throw new AppError('forbidden', { message: 'Subscribe to the business to like this post.' })
    const isLiked = wish === 'toggle' ? !(await hasLiked(tx, postId, actor.id)) : wish
    if (isLiked) await requireTakingPart(tx, actor, post, now)
    const isChanged = isLiked ? await addLike(tx, postId, actor.id, now) : await removeLike(tx, postId, actor.id)
    if (!isChanged) return { id: postId, isLiked, likesCount: post.likes_count }
    const likesCount = post.likes_count + (isLiked ? 1 : -1)
    await setLikesCount(tx, postId, likesCount)
    if (isLiked && !isOwnPost(actor.id, post)) await ctx.events.publish(tx, 'post.liked', { postId, userId: actor.id })
    return { id: postId, isLiked, likesCount }
  })
}
