import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { recordAudit } from '../audit/index.ts'
import { removePost } from './post-writes.queries.ts'
import { isModerator, isOwnPost } from './posts.policy.ts'
import { type PostFacts, postFacts } from './posts.queries.ts'
import { countShown, lockCounts } from './shown-counts.ts'
import { type Viewer, viewerOf } from './viewer.ts'

/**
 * Deletes a post with its comments and likes: one's own, one of a business that one belongs to, or any as a moderator, whom no
 * block keeps away.
 * @throws AppError not_found, forbidden
 */
export async function deletePost(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, postId: string): Promise<void> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  await inTransaction(ctx.db, async (tx) => {
    const post = await postFacts(tx, viewer, postId)
    if (!post || !(post.is_visible || reaches(viewer, post) || isOwnPost(actor.id, post))) throw notFound('Post not found.')
    const isOwn = isOwnPost(actor.id, post)
    if (!isOwn && !isModerator(viewer)) {
      throw new AppError('forbidden', { message: 'Only those whose post it is can delete it.' })
    }
    // What counts it before the post, as everywhere. Whoever comes second finds the post gone.
    await lockCounts(tx, post)
    const removed = await removePost(tx, postId)
    if (!removed) throw notFound('Post not found.')
    if (removed.moderation === null) await countShown(tx, removed, -1, now)
    if (isOwn) return
    const details = { communityId: removed.community_id }
    await recordAudit(tx, { at: now, actorId: actor.id, action: 'post.deleted', subjectType: 'post', subjectId: postId, details })
  })
}

/** In communities moderators of the site see no more than others: there they act on what is reported to them. */
const reaches = (viewer: Viewer, post: PostFacts): boolean => isModerator(viewer) && post.community_id === null
