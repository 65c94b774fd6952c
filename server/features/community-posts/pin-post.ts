import type { pinPost } from '../../../contracts/community-posts.ts'
import type { ResponseOf } from '../../../contracts/endpoint.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordAudit } from '../audit/index.ts'
import { requireCommunity } from '../communities/index.ts'
import { viewerOf } from '../posts/index.ts'
import { lockCommunityPost, requireCommunityPost } from './read-community-post.ts'

/** What is pinned is read first: where everything is, nothing is. */
export const mostPins = 3

/**
 * Pins a post to the top of its community, or takes the pin away. What is already so stays.
 * @throws AppError not_found, forbidden for who does not moderate the community, conflict where three are pinned
 */
export async function changePin(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  postId: string,
  isPinned: boolean,
): Promise<ResponseOf<typeof pinPost>> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    const { community_id: communityId } = await requireCommunityPost(tx, viewer, postId)
    // Two moderators who pin at once wait here: the community comes before its posts, as everywhere.
    await requireCommunity(tx, actor, communityId, 'moderate', now, { lock: 'update' })
    const post = await lockCommunityPost(tx, viewer, postId)
    if ((post.pinned_at !== null) === isPinned) return { id: postId, isPinned }
    if (isPinned) {
      if (post.moderation !== null) throw new AppError('conflict', { message: 'This post is not shown at the moment.' })
      if ((await pinnedCount(tx, communityId)) >= mostPins) {
        throw new AppError('conflict', { message: 'Three posts are pinned already. Unpin one of them first.' })
      }
    }
    const pinnedAt = isPinned ? now : null
    await tx.updateTable('posts').set({ pinned_at: pinnedAt, updated_at: now }).where('id', '=', postId).execute()
    await recordAudit(tx, {
      at: now,
      actorId: actor.id,
      action: isPinned ? 'post.pinned' : 'post.unpinned',
      subjectType: 'post',
      subjectId: postId,
      details: { communityId },
    })
    return { id: postId, isPinned }
  })
}

/** What was taken from view keeps its pin, and takes nobody's place. */
async function pinnedCount(tx: Tx, communityId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('posts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('community_id', '=', communityId)
    .where('pinned_at', 'is not', null)
    .where('moderation', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
